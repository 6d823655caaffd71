//! The values of a pickle, and the names it may refer to.

/// What a pickle may refer to by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// A NumPy array.
    Array,
    /// The function that makes an empty array.
    NewArray,
    /// The type of the numbers of an array.
    ArrayType,
    /// A matrix in compressed sparse rows.
    SparseRows,
    /// A dictionary with a default.
    Dictionary,
    /// The function that makes an object of a class.
    NewObject,
    /// The function that turns text into bytes.
    Encode,
    /// A class that only occurs as an argument.
    Plain,
}

impl Name {
    /// The name in a module, if it is one of these.
    pub(super) fn of(module: &str, name: &str) -> Option<Self> {
        Some(match (module, name) {
            ("numpy.core.multiarray" | "numpy._core.multiarray", "_reconstruct") => Self::NewArray,
            ("numpy", "ndarray") => Self::Array,
            ("numpy", "dtype") => Self::ArrayType,
            ("scipy.sparse.csr" | "scipy.sparse._csr", "csr_matrix" | "csr_array") => {
                Self::SparseRows
            }
            ("collections", "defaultdict" | "OrderedDict") => Self::Dictionary,
            ("copy_reg" | "copyreg", "_reconstructor") => Self::NewObject,
            ("_codecs", "encode") => Self::Encode,
            ("__builtin__" | "builtins", "list" | "object" | "dict") => Self::Plain,
            _ => return None,
        })
    }
}

/// A value; others are referred to by their number.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    None,
    Flag(bool),
    Int(i64),
    Real,
    Bytes(Vec<u8>),
    Text(String),
    Tuple(Vec<usize>),
    List(Vec<usize>),
    Dict(Vec<(usize, usize)>),
    Name(Name),
    Object { name: Name, arguments: Vec<usize>, state: Option<usize> },
}
