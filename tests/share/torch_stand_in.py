"""Stands in for PyTorch where there is none: as much of it as the exported scripts use, on NumPy, and as strict as PyTorch is
where a script could go wrong (views of what is not contiguous, lists assigned to tensors, changed parameters while gradients are
kept, mixed types in a product). Its random draws are those of check_golden.py. It shows that the scripts call what PyTorch has,
in the right order and with the right shapes, and that what they compute are the playground's numbers. It does not show that
PyTorch itself draws like that: the golden files of published print-outs do."""

import math
import sys
import types
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "golden"))
from check_golden import Mt19937  # noqa: E402

float32, float64, int64, bool = np.float32, np.float64, np.int64, np.bool_
inf = math.inf
nan = math.nan


class State:
    generator = Mt19937(0)
    spare = []
    keeps_gradients = True


def manual_seed(seed):
    if not -(2**63) <= seed < 2**64:
        raise ValueError("a seed of PyTorch has 64 bits")
    State.generator = Mt19937(seed)
    State.spare = []


def set_grad_enabled(mode):
    State.keeps_gradients = mode


def set_printoptions(precision, sci_mode, threshold, linewidth):
    np.set_printoptions(
        precision=precision, suppress=not sci_mode, floatmode="fixed", threshold=threshold, linewidth=linewidth
    )


# --- tensors -------------------------------------------------------------------------------------------------------------


def common_dtype(a, b):
    """PyTorch's rule for two operands; a Python number has no width of its own."""

    def width(x):
        return x.array.dtype.type if isinstance(x, Tensor) else None

    known = [dtype for dtype in (width(a), width(b)) if dtype is not None]
    numbers = [x for x in (a, b) if not isinstance(x, Tensor)]
    if all(np.issubdtype(dtype, np.integer) for dtype in known) and any(isinstance(x, float) for x in numbers):
        return float32
    return np.result_type(*known).type


class Tensor:
    def __init__(self, array, is_parameter=False):
        self.array = array
        self.is_parameter = is_parameter

    shape = property(lambda self: self.array.shape)
    T = property(lambda self: Tensor(self.array.T, self.is_parameter))
    data = property(lambda self: Tensor(self.array))  # the same numbers, no parameter

    def __str__(self):
        return str(self.array)

    def __format__(self, spec):
        if self.array.ndim != 0:
            raise TypeError("unsupported format string for a tensor with axes")
        return format(self.array.item(), spec)

    def __getitem__(self, index):
        return Tensor(self.array[index], self.is_parameter)

    def __or__(self, other):
        return Tensor(self.array | other.array)

    def __setitem__(self, index, value):
        if self.is_parameter and State.keeps_gradients:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation")
        if isinstance(value, list):
            raise TypeError("can't assign a list to a tensor")
        target = self.array[index]
        if isinstance(value, Tensor) and value.shape != np.shape(target):
            raise RuntimeError(f"the shapes {value.shape} and {np.shape(target)} differ")
        self.array[index] = value.array if isinstance(value, Tensor) else value

    def calculate(self, other, operation, *, divides=False, is_swapped=False):
        dtype = common_dtype(self, other)
        if divides and np.issubdtype(dtype, np.integer):
            dtype = float32
        a = self.array.astype(dtype)
        b = other.array.astype(dtype) if isinstance(other, Tensor) else dtype(other)
        return Tensor(operation(b, a) if is_swapped else operation(a, b))

    def __add__(self, other):
        return self.calculate(other, np.add)

    __radd__ = __add__  # sum() begins with 0

    def __sub__(self, other):
        return self.calculate(other, np.subtract)

    def __mul__(self, other):
        return self.calculate(other, np.multiply)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self.calculate(other, np.true_divide, divides=True)

    def __rtruediv__(self, other):
        return self.calculate(other, np.true_divide, divides=True, is_swapped=True)

    def __floordiv__(self, other):
        return self.calculate(other, np.floor_divide)

    def __mod__(self, other):
        return self.calculate(other, np.mod)

    def __rpow__(self, other):
        return self.calculate(other, np.power, is_swapped=True)

    def __neg__(self):
        return Tensor(-self.array)

    def __eq__(self, other):
        return Tensor(self.array == other)

    def __matmul__(self, other):
        if self.array.dtype != other.array.dtype:
            raise RuntimeError(f"expected m1 and m2 to have the same dtype: {self.array.dtype} != {other.array.dtype}")
        return Tensor(self.array @ other.array)

    def pow(self, exponent):
        return self.calculate(exponent, np.power)

    def sqrt(self):
        return Tensor(np.sqrt(self.array))

    def sin(self):
        return Tensor(np.sin(self.array))

    def cos(self):
        return Tensor(np.cos(self.array))

    def float(self):
        return Tensor(self.array.astype(float32))

    def clone(self):
        return Tensor(self.array.copy())

    def contiguous(self):
        return Tensor(np.ascontiguousarray(self.array))

    def reshape(self, *shape):
        return Tensor(self.array.reshape(shape))

    def view(self, *shape):
        if not self.array.flags.c_contiguous:
            raise RuntimeError("view size is not compatible with input tensor's size and stride; use .contiguous()")
        return Tensor(self.array.reshape(shape))

    def split(self, size, dim):
        return [Tensor(part) for part in np.split(self.array, range(size, self.array.shape[dim], size), axis=dim)]

    def expand(self, *shape):
        return Tensor(np.broadcast_to(self.array, shape))

    def __len__(self):
        return len(self.array)

    def repeat_interleave(self, repeats, dim):
        return Tensor(np.repeat(self.array, repeats, axis=dim))

    def flatten(self, start_dim):
        return Tensor(self.array.reshape(*self.array.shape[:start_dim], -1))

    def transpose(self, a, b):
        return Tensor(self.array.swapaxes(a, b))

    def permute(self, *dims):
        return Tensor(self.array.transpose(dims))

    def sum(self, dim, keepdim=False):
        return Tensor(self.array.sum(axis=dim, keepdims=keepdim))

    def mean(self, dim, keepdim=False):
        return Tensor(self.array.mean(axis=dim, keepdims=keepdim))

    def masked_fill(self, mask, value):
        if mask.array.dtype != np.bool_:
            raise RuntimeError("masked_fill_ only supports boolean masks")
        return Tensor(np.where(mask.array, self.array.dtype.type(value), self.array))


def tensor(data):
    array = np.array(data)
    return Tensor(array.astype(float32) if array.dtype == np.float64 else array)


def ones(*shape, dtype=float32):
    return Tensor(np.ones(shape, dtype))


def zeros(*shape, dtype=float32):
    return Tensor(np.zeros(shape, dtype))


def eye(rows, columns, dtype=float32):
    return Tensor(np.eye(rows, columns, dtype=dtype))


def arange(*range, dtype=int64):
    return Tensor(np.arange(*range, dtype=dtype))


def triu(tensor, diagonal):
    return Tensor(np.triu(tensor.array, k=diagonal))


def tril(tensor, diagonal):
    return Tensor(np.tril(tensor.array, k=diagonal))


def stack(tensors, dim=0):
    return Tensor(np.stack([tensor.array for tensor in tensors], axis=dim))


def cat(tensors, dim):
    return Tensor(np.concatenate([tensor.array for tensor in tensors], axis=dim))


def cos(tensor):
    return tensor.cos()


def sin(tensor):
    return tensor.sin()


def tanh(tensor):
    return Tensor(np.tanh(tensor.array))


def abs(tensor):
    return Tensor(np.abs(tensor.array))


def where(condition, a, b):
    return Tensor(np.where(condition.array, a.array, b.array))


def softmax(tensor, dim):
    exps = np.exp(tensor.array - tensor.array.max(axis=dim, keepdims=True))
    return Tensor(exps / exps.sum(axis=dim, keepdims=True))


# --- random numbers ------------------------------------------------------------------------------------------------------


def uniforms(count):
    return np.array([State.generator.uniform24() for _ in range(count)], dtype=float32)


def normal_pair():
    u1, u2 = State.generator.uniform53(), State.generator.uniform53()
    radius = math.sqrt(-2 * math.log1p(-u2))
    return radius * math.cos(2 * math.pi * u1), radius * math.sin(2 * math.pi * u1)


def normals(count):
    if count < 16:
        few = []
        for _ in range(count):
            if not State.spare:
                State.spare = list(normal_pair())
            few.append(State.spare.pop(0))
        return np.array(few, dtype=float32)
    values = uniforms(count)
    for start in [*range(0, count - 15, 16), *([count - 16] if count % 16 else [])]:
        block = values[start : start + 16]
        if count % 16 and start == count - 16:
            block[:] = uniforms(16)
        radius = np.sqrt(float32(-2) * np.log(float32(1) - block[:8]))
        angle = float32(2 * math.pi) * block[8:]
        block[:8], block[8:] = radius * np.cos(angle), radius * np.sin(angle)
    return values


def rand(*shape):
    return Tensor(uniforms(math.prod(shape)).reshape(shape))


def randn(*shape):
    return Tensor(normals(math.prod(shape)).reshape(shape))


# --- modules -------------------------------------------------------------------------------------------------------------


def Parameter(data):
    return Tensor(data.array, is_parameter=True)


def between(bound, *shape):
    low, high = float32(-bound), float32(bound)
    return Parameter(Tensor(uniforms(math.prod(shape)).reshape(shape) * (high - low) + low))


class Linear:
    def __init__(self, n_in, n_out, bias=True):
        self.weight = between(1 / math.sqrt(n_in), n_out, n_in)
        self.bias = between(1 / math.sqrt(n_in), n_out) if bias else None

    def __call__(self, x):
        product = x @ self.weight.T
        return product if self.bias is None else product + self.bias


class Embedding:
    def __init__(self, num_rows, width):
        self.weight = Parameter(randn(num_rows, width))

    def __call__(self, indices):
        if indices.array.dtype != np.int64:
            raise RuntimeError("Embedding wants whole numbers")
        return self.weight[indices.array].clone()


class Dropout:
    def __init__(self, p):
        if not 0 <= p <= 1:
            raise ValueError("dropout probability has to be between 0 and 1")
        self.p = p

    def __call__(self, x):
        keep = np.array([State.generator.uniform53() < 1 - self.p for _ in range(x.array.size)], dtype=float32)
        return Tensor(x.array * (keep.reshape(x.shape) / float32(1 - self.p)))


nn = types.SimpleNamespace(Parameter=Parameter, Linear=Linear, Embedding=Embedding, Dropout=Dropout)
