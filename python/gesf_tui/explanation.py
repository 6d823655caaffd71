"""Explanations: which nodes contributed how much to a prediction."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Contributor:
    """A node with its signed share in the explained value."""

    node: Hashable
    adds: float
    weight: float
    """P_uv: the weight of the node in the reconstruction."""
    hops: int | None
    """Distance; `None` if there is no path or the node is far away."""
    without: float
    """The explained value if this node were left out."""


@dataclass(frozen=True)
class Explanation:
    """An exact decomposition: `value = baseline + sum of all contributions`."""

    node: Hashable
    predicted: Any
    predicted_from_r: Any
    truth: Any
    explained: str
    """What is decomposed: `logit`, `margin`, `value` or `length of z`."""
    label: Any
    """The class whose logit is decomposed, if there are classes."""
    value: float
    baseline: float
    contributors: list[Contributor]
    document: dict[str, Any]
    """The complete JSON of `gesf-tui explain --json`."""


def read(
    document: dict[str, Any],
    node_of: Callable[[str], Hashable],
    label_of: Callable[[str], Any],
) -> Explanation:
    """An explanation from the program's JSON, in the caller's ids and labels."""
    explained = document["explained"]
    name = explained.get("class")
    return Explanation(
        node=node_of(document["node"]),
        predicted=label_of(document["predicted"]),
        predicted_from_r=label_of(document["predicted_from_R"]),
        truth=label_of(document["truth"]),
        explained=explained["kind"],
        label=None if name is None else label_of(name),
        value=document["value"],
        baseline=document["baseline"],
        contributors=[
            Contributor(
                node=node_of(own["node"]),
                adds=own["adds"],
                weight=own["weight"],
                hops=own["hops"],
                without=own["without"],
            )
            for own in document["contributors"]
        ],
        document=document,
    )
