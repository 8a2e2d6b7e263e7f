"""The zip around a model file: written whole, read without trust."""

from __future__ import annotations

import io
import os
import struct
import tokenize
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path

import msgspec
import numpy as np

from naively._typing import AnyArray
from naively.data.output import beside
from naively.errors import ModelFileError, NaivelyError, ParameterError, SourceNotFound, nearest
from naively.persist.header import FORMAT, HEADERS, Header

__all__ = ["blaming", "read", "write"]

HEADER = "header.json"
OURS = "a file written by naively.save"

OF_ZIP = (zipfile.BadZipFile, struct.error, EOFError, OSError, RuntimeError)
OF_JSON = (msgspec.MsgspecError, RecursionError)
OF_NPY = (SyntaxError, tokenize.TokenError)
OF_VALUES = (ValueError, LookupError, TypeError, ArithmeticError)
FAULTS = (*OF_ZIP, *OF_JSON, *OF_NPY, *OF_VALUES)
"""What a damaged file makes its readers raise; anything else is our own fault, and not hidden."""


def write(path: Path, header: Header, arrays: Mapping[str, AnyArray]) -> None:
    """Write beside the path and rename: nobody ever sees half a file."""
    text = _encoded(header)
    with beside(path) as file, zipfile.ZipFile(file, "w") as bundle:
        bundle.writestr(HEADER, text)
        for name, array in arrays.items():
            bundle.writestr(f"{name}.npy", _npy(array))


def _encoded(header: Header) -> bytes:
    if not _finite(msgspec.to_builtins(header)):  # JSON would hold a null in its place
        raise ParameterError("a parameter that is not finite", "numbers that JSON can hold")
    try:
        return msgspec.json.format(msgspec.json.encode(header))
    except (TypeError, ValueError) as error:
        found = f"a model that has no form as JSON ({error})"
        raise ParameterError(found, "labels and parameters of text and numbers") from error


def _finite(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(_finite, value))
    return not isinstance(value, float) or isfinite(value)


def _npy(array: AnyArray) -> bytes:
    """An array as every machine reads it: float64 with the low byte first, or truth values."""
    plain = array if array.dtype == np.bool_ else np.asarray(array, dtype="<f8")
    buffer = io.BytesIO()
    plain = np.ascontiguousarray(plain)
    np.lib.format.write_array(buffer, plain, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def read(path: Path) -> tuple[Header, dict[str, AnyArray]]:
    """The header and the arrays of a file."""
    with zipfile.ZipFile(path) as bundle:
        members = _members(bundle, path.stat().st_size)
        if HEADER not in members:
            raise ModelFileError(f"a zip without {HEADER}", OURS)
        header = _header(bundle.read(members[HEADER]))
        names = [name for part in header.statistics for name in part.arrays]
        strange = sorted(set(members) ^ {HEADER, *(f"{name}.npy" for name in names)})
        if strange:
            found = f"member {strange[0]!r} is strange or missing"
            raise ModelFileError(found, "those of the header")
        return header, {name: _array(f"{name}.npy", bundle.read(f"{name}.npy")) for name in names}


def _members(bundle: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """The members by name, stored as they are and no larger than the file: no bomb can hide."""
    listed = bundle.infolist()
    for info in listed:
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
            raise ModelFileError(f"member {info.filename!r} is compressed", "stored members")
    if sum(info.file_size for info in listed) > size:
        raise ModelFileError("members that are larger than the file", OURS)
    members = {info.filename: info for info in listed}
    if len(members) < len(listed):
        raise ModelFileError("two members of one name", OURS)
    return members


@contextmanager
def blaming(path: Path) -> Iterator[None]:
    """Whatever goes wrong inside is the file's fault, and is said in our words."""
    if not os.path.isfile(path):
        raise _not_there(path)
    try:
        with np.errstate(all="ignore"):
            yield
    except ImportError:
        raise
    except NaivelyError as error:
        raise ModelFileError(f"{path}: {error.found}", error.expected or OURS, error.fix) from error
    except FAULTS as error:
        found = f"{path} cannot be read as a model ({type(error).__name__}: {error})"
        raise ModelFileError(found, OURS) from error


def _not_there(path: Path) -> NaivelyError:
    if os.path.exists(path):
        return ModelFileError(f"{str(path)!r} is not a file", OURS)
    names: list[str] = []
    with suppress(OSError, ValueError):
        names = sorted(os.listdir(path.parent))
    fix = nearest(path.name, names) if names else ""
    return SourceNotFound(f"no model file {str(path)!r}", fix=fix)


def _header(raw: bytes) -> Header:
    stated = msgspec.json.decode(raw)
    number = stated.get("format") if isinstance(stated, dict) else None
    if not isinstance(number, int) or number < 1:
        raise ModelFileError("a file without a format number", OURS)
    if number > FORMAT:
        raise ModelFileError(
            f"format {number}", f"format {FORMAT} or older", "upgrade naively to read it"
        )
    kind = stated.get("kind", "statistics")
    if not isinstance(kind, str) or kind not in HEADERS:
        raise ModelFileError(f"a file of kind {kind!r}", f"one of {', '.join(HEADERS)}")
    return msgspec.convert(stated, HEADERS[kind])


def _array(name: str, raw: bytes) -> AnyArray:
    """An array, after its own header has been held against the bytes that are there."""
    buffer = io.BytesIO(raw)
    version = np.lib.format.read_magic(buffer)
    if version != (1, 0):
        raise ModelFileError(f"{name} has .npy version {version}", "version (1, 0)")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(buffer)
    count = int(np.prod(shape, dtype=object))
    sound = dtype.str in ("<f8", "|b1") and min(shape, default=0) >= 0
    if not sound or count * dtype.itemsize != len(raw) - buffer.tell():
        raise ModelFileError(f"{name}: {dtype} of shape {shape}", "float64, as many as are there")
    array = np.frombuffer(raw, dtype, count, buffer.tell())
    return array.reshape(shape, order="F" if fortran else "C").astype(dtype.type, order="C")
