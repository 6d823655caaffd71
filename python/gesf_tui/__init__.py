"""GESF graph embeddings from Python: train, explain and open graphs with `gesf-tui`."""

from .embedding import Embedding
from .errors import GesfError, InputError, ProgramError, ProgramNotFoundError, UsageError
from .estimator import GesfClassifier, GesfRegressor
from .explanation import Contributor, Explanation
from .explorer import open
from .program import find_program
from .training import embed, explain

__all__ = [
    "Contributor",
    "Embedding",
    "Explanation",
    "GesfClassifier",
    "GesfError",
    "GesfRegressor",
    "InputError",
    "ProgramError",
    "ProgramNotFoundError",
    "UsageError",
    "embed",
    "explain",
    "find_program",
    "open",
]
