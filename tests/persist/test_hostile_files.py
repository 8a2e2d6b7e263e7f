"""Whatever stands in a file, reading it gives a model that answers, or an error in words."""

from __future__ import annotations

import copy
import io
import os
import pickle
import struct
import tracemalloc
import warnings
import zipfile
import zlib

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from naively import Model, NaiveBayes, load, save
from naively.errors import ModelFileError, NaivelyError, SourceNotFound
from naively.families import Gaussian, Histogram, Inflated, Kernel, LogNormal
from naively.persist import plain

ROWS = {
    "sky": ["sun", "rain", "rain", None, "sun", "sun"],
    "height": [1.5, 2.25, 0.5, 1.0, None, 4.0],
    "weight": [10.0, 20.5, 3.0, 8.5, 7.0, 60.0],
    "fare": [0.0, 7.5, 0.0, 12.25, 80.0, 7.5],
    "many": [3, 0, 1, 7, 2, 2],
    "few": [1.0, 0.25, 0.5, 0.25, 1.0, 0.5],
    "width": [1.0, 0.5, 0.75, 3.5, 1.5, 2.5],
    "class": ["no", "yes", "no", "yes", "no", "perhaps"],
}
CHOICES = {
    ("height", "weight"): Gaussian(covariance="full"),
    "fare": Inflated(LogNormal(), at=0),
    "many": "poisson",
    "few": Kernel(),
    "width": Histogram(bins=2),
}


def bytes_of(model, folder):
    save(model, folder / "m.naively")
    return (folder / "m.naively").read_bytes()


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The bytes of a good file with every statistic in it."""
    return bytes_of(NaiveBayes(CHOICES).fit(ROWS, "class"), tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def statistics_only(tmp_path_factory):
    return bytes_of(NaiveBayes(CHOICES).fit(ROWS, "class").stats_, tmp_path_factory.mktemp("stats"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.naively"


@pytest.fixture(scope="module")
def spare(tmp_path_factory):
    """A path that the examples of one hypothesis test may share."""
    return tmp_path_factory.mktemp("spare") / "m.naively"


def parts_of(raw):
    """The header and the other members of a file."""
    with zipfile.ZipFile(io.BytesIO(raw)) as bundle:
        members = {info.filename: bundle.read(info) for info in bundle.infolist()}
    return msgspec.json.decode(members.pop("header.json")), members


def write(path, header, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as bundle:
        bundle.writestr(
            "header.json", header if isinstance(header, bytes) else msgspec.json.encode(header)
        )
        for name, data in members.items():
            bundle.writestr(name, data)


def npy(array, **options):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), **options)
    return buffer.getvalue()


def refused(path, match=None, kind=ModelFileError):
    """Both ways to read refuse, in words of three parts that name the file."""
    for read in (load, Model.load):
        with pytest.raises(kind, match=match) as caught:
            read(path)
        assert path.name in str(caught.value)
        assert caught.value.expected or caught.value.fix


def survives(path):
    """The file is read and answers, or is refused; nothing else may happen."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = load(path)
            if isinstance(model, NaiveBayes):
                posterior = model.predict_proba(ROWS)
                assert not np.isnan(posterior).any()
    except NaivelyError:
        return False
    return True


# What is no model file


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"PK",
        b"a,b\n1,2\n",
        b"\x00" * 1000,
        b"PK\x05\x06" + bytes(18),
        pickle.dumps({}),
        b"\x93NUMPY\x01\x00",
    ],
    ids=repr,
)
def test_what_is_no_zip_is_refused(raw, path):
    path.write_bytes(raw)
    refused(path)


def test_a_folder_is_refused(tmp_path):
    refused(tmp_path, "is not a file")


def test_a_device_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", "is not a file")


def test_a_file_that_is_not_there_names_the_nearest(path):
    path.write_text("")
    with pytest.raises(SourceNotFound, match=r"did you mean 'm.naively'\?"):
        load(path.with_name("m.naivly"))


@pytest.mark.parametrize("name", ["none/m.naively", "a\x00b", "x" * 5000])
def test_a_path_that_cannot_be_is_not_found(name, tmp_path):
    with pytest.raises(SourceNotFound):
        load(tmp_path / name)


# Damage


def test_a_file_cut_anywhere_is_refused(sound, spare):
    for end in range(0, len(sound), 97):
        spare.write_bytes(sound[:end])
        with pytest.raises(ModelFileError):
            load(spare)
    for end in range(len(sound) - 60, len(sound)):
        spare.write_bytes(sound[:end])
        with pytest.raises(ModelFileError):
            load(spare)


fuzz = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@fuzz
@given(data=st.data())
def test_flipped_bytes_never_surprise(data, sound, spare):
    raw = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    spare.write_bytes(raw)
    survives(spare)


@fuzz
@given(data=st.data())
def test_flipped_bytes_at_either_end_of_the_directory_never_surprise(data, sound, spare):
    raw, start = bytearray(sound), sound.index(b"PK\x01\x02")
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(start, len(raw) - 1))] = data.draw(st.integers(0, 255))
    spare.write_bytes(raw)
    survives(spare)


def test_a_changed_array_breaks_its_checksum(sound, path):
    _, members = parts_of(sound)
    at = sound.index(members["class_count.npy"])
    raw = bytearray(sound)
    raw[at + 130] ^= 1
    path.write_bytes(raw)
    refused(path, "CRC")


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**31, 2**63, -(2**70), 10**30]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=3),
    st.just([]),
    st.just({}),
    st.sampled_from(["sums", "moments", "gaussian", "codes", "real", "log", "then", "bins", "x0"]),
    st.just([[]]),
    st.just([None, None]),
    st.just({"family": "inflated"}),
    st.just({"pairs": [[]]}),
)


def spots(value, at=()):
    """Every place in a header."""
    if at:
        yield at
    if isinstance(value, (dict, list)):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from spots(child, (*at, key))


@settings(fuzz, max_examples=400)
@given(data=st.data())
def test_odd_headers_never_surprise(data, sound, statistics_only, spare):
    header, members = parts_of(data.draw(st.sampled_from([sound, statistics_only])))
    for _ in range(data.draw(st.integers(1, 2))):
        *way, last = data.draw(st.sampled_from([*spots(header)]))
        inside = header
        for step in way:
            inside = inside[step]
        change = data.draw(st.sampled_from(["replace", "replace", "drop", "double"]))
        if change == "drop":
            del inside[last]
        elif change == "double" and isinstance(inside, list):
            inside.insert(last, copy.deepcopy(inside[last]))
        else:
            inside[last] = copy.deepcopy(data.draw(ODD))
    write(spare, header, members)
    survives(spare)


NUMBERS = st.sampled_from(
    [0.0, -1.0, 1.0, 0.5, 1e308, -1e308, 5e-324, np.nan, np.inf, -np.inf, 1e16]
)


@settings(fuzz, max_examples=300)
@given(data=st.data())
def test_odd_numbers_never_surprise(data, sound, spare):
    header, members = parts_of(sound)
    name = data.draw(st.sampled_from(sorted(members)))
    array = np.load(io.BytesIO(members[name]))
    change = data.draw(st.sampled_from(["cells", "cells", "all", "shape", "type", "turn"]))
    if change == "cells" and array.dtype.kind == "f" and array.size:
        for _ in range(data.draw(st.integers(1, 3))):
            array.flat[data.draw(st.integers(0, array.size - 1))] = data.draw(NUMBERS)
    elif change == "all":
        array = np.full(array.shape, data.draw(NUMBERS))
    elif change == "shape":
        array = np.ones(data.draw(st.lists(st.integers(0, 3), max_size=4)))
    elif change == "type":
        array = array.astype(
            data.draw(st.sampled_from(["f4", "i8", ">f8", "U3", "c16", "M8[s]", "?", "u1"]))
        )
    else:
        array = np.asfortranarray(array).T
    members[name] = npy(array)
    write(spare, header, members)
    survives(spare)


# Attacks


class Bomb:
    """Unpickling this would leave a trace."""

    def __init__(self, target):
        self.target = target

    def __reduce__(self):
        return os.mkdir, (str(self.target),)


def test_a_pickle_in_an_array_is_never_run(sound, path, tmp_path):
    header, members = parts_of(sound)
    array = np.array([Bomb(tmp_path / "run")], dtype=object)
    members["class_count.npy"] = npy(array, allow_pickle=True)
    write(path, header, members)
    refused(path, "object of shape")
    members["class_count.npy"] = pickle.dumps(Bomb(tmp_path / "run"))
    write(path, header, members)
    refused(path)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("kind", ["os.system", "builtins.eval", "__import__", "", 3, None, [], {}])
@pytest.mark.parametrize("where", ["estimator", "term", "family", "coding", "statistic"])
def test_a_name_is_looked_up_in_our_tables_only(kind, where, sound, path):
    header, members = parts_of(sound)
    columns = header["model"]["schema"]["columns"]
    if where == "estimator":
        header["estimator"]["name"] = kind
    elif where == "term":
        header["terms"][0]["kind"] = kind
    elif where == "family":
        columns[0]["family"]["family"] = kind
    elif where == "coding":
        header["terms"][0]["coding"] = {"name": kind}
    else:
        header["statistics"][0]["name"] = kind
    write(path, header, members)
    with pytest.raises(ModelFileError):
        load(path)


def peak_of_reading(path):
    tracemalloc.start()
    try:
        refused(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("member", ["header.json", "class_count.npy", "other.npy"])
def test_a_compressed_bomb_is_not_unpacked(method, member, sound, path):
    header, members = parts_of(sound)
    with zipfile.ZipFile(path, "w") as bundle:
        everything = {"header.json": msgspec.json.encode(header), **members}
        for name, data in {**everything, member: b" " * 50_000_000}.items():
            bundle.writestr(name, data, method if name == member else zipfile.ZIP_STORED)
    assert path.stat().st_size < 500_000
    assert peak_of_reading(path) < 5_000_000


def test_a_size_that_is_only_claimed_takes_no_memory(sound, path):
    raw, at = bytearray(sound), sound.index(b"PK\x01\x02")
    raw[at + 20 : at + 28] = struct.pack("<LL", 2**31, 2**31)
    path.write_bytes(raw)
    assert peak_of_reading(path) < 5_000_000


def test_members_that_share_their_bytes_are_refused(path):
    name, data = b"a.npy", b" " * 100_000
    local = struct.pack(
        "<4s5H3L2H", b"PK\x03\x04", 20, 0, 0, 0, 0, zlib.crc32(data), len(data), len(data), 5, 0
    )
    entries = b"".join(
        struct.pack(
            "<4s6H3L5H2L",
            b"PK\x01\x02",
            20,
            20,
            0,
            0,
            0,
            0,
            zlib.crc32(data),
            len(data),
            len(data),
            5,
            0,
            0,
            0,
            0,
            0,
            0,
        )
        + b"a%03d." % i
        for i in range(500)
    )
    start = len(local + name + data)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 500, 500, len(entries), start, 0)
    path.write_bytes(local + name + data + entries + end)
    assert peak_of_reading(path) < 5_000_000


@pytest.mark.parametrize(
    "shape", ["(10**9,)", "(1000000000000,)", "(-1,)", "(-2, -2)", "(True, 4)", "(4,"]
)
def test_a_shape_that_is_only_claimed_takes_no_memory(shape, sound, path):
    header, members = parts_of(sound)
    head = (
        f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117)
        + b"\n"
    )
    members["class_count.npy"] = (
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(32)
    )
    write(path, header, members)
    assert peak_of_reading(path) < 5_000_000


@pytest.mark.parametrize("depth", [1_000, 200_000])
@pytest.mark.parametrize(("left", "right"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_json_of_any_depth_is_refused(depth, left, right, sound, path):
    _, members = parts_of(sound)
    write(path, b'{"format": 1, "x": ' + left * depth + b"1" + right * depth + b"}", members)
    refused(path)


def test_families_within_families_end(sound, path):
    header, members = parts_of(sound)
    family = {"family": "gaussian"}
    for _ in range(300):
        family = {"family": "inflated", "density": family}
    header["model"]["schema"]["columns"][0]["family"] = family
    write(path, header, members)
    refused(path)


@pytest.mark.parametrize("name", ["../../x.npy", "/etc/x.npy", "..\\x.npy", "C:x.npy", "sub/", " "])
def test_a_member_that_the_header_does_not_name_is_refused(name, sound, path, tmp_path):
    header, members = parts_of(sound)
    write(path, header, {**members, name: b""})
    refused(path, "strange or missing")
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "0.other"])
def test_an_array_that_the_statistic_does_not_have_is_refused(name, sound, path):
    header, members = parts_of(sound)
    header["statistics"][0]["arrays"].append(name)
    write(path, header, {**members, f"{name}.npy": npy(np.zeros(1))})
    refused(path, "arrays")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_twice_is_refused(sound, path):
    header, members = parts_of(sound)
    write(path, header, members)
    with zipfile.ZipFile(path, "a") as bundle:
        bundle.writestr("class_count.npy", npy(np.ones(3)))
    refused(path, "two members of one name")


def test_every_missing_member_is_refused(sound, path):
    header, members = parts_of(sound)
    for name in members:
        write(path, header, {k: v for k, v in members.items() if k != name})
        refused(path, "strange or missing")
    with zipfile.ZipFile(path, "w") as bundle:
        bundle.writestr("class_count.npy", members["class_count.npy"])
    refused(path, "without header.json")


# What does not fit


def changed(sound, path, change):
    header, members = parts_of(sound)
    change(header, members)
    write(path, header, members)


@pytest.mark.parametrize("number", [2, 10**20])
def test_a_newer_format_says_to_upgrade(number, sound, path):
    changed(sound, path, lambda header, _: header.update(format=number))
    refused(path, f"format {number}; expected format 1 or older; upgrade naively")


@pytest.mark.parametrize("number", [0, -1, None, "1", 1.5, [1]])
def test_no_format_is_no_model_file(number, sound, path):
    changed(sound, path, lambda header, _: header.update(format=number))
    refused(path, "without a format number")


def test_fields_of_later_versions_are_let_through(sound, path):
    changed(sound, path, lambda header, _: header.update(provenance={"hash": "0"}))
    assert load(path).predict(ROWS).shape == (6,)


def test_every_field_of_the_header_is_needed_or_has_a_default(sound, path):
    header, members = parts_of(sound)
    for name in header:
        write(path, {k: v for k, v in header.items() if k != name}, members)
        if name == "estimator":
            assert isinstance(load(path), Model)
        elif name == "model":
            assert load(path).rows == 6
        elif name == "kind":
            assert load(path).stats_.rows == 6
        else:
            refused(path)


@pytest.mark.parametrize("kind", ["schema", "model", "", None, 1, []])
def test_a_file_is_of_the_kind_that_it_says(sound, path, kind):
    header, members = parts_of(sound)
    write(path, {**header, "kind": kind}, members)
    refused(path)


@pytest.mark.parametrize("fault", [MemoryError, AttributeError, AssertionError])
def test_our_own_faults_are_not_blamed_on_the_file(sound, path, fault, monkeypatch):
    def fail(*_):
        raise fault

    path.write_bytes(sound)
    monkeypatch.setattr(plain, "stats_from_parts", fail)
    with pytest.raises(fault):
        load(path)


def test_statistics_alone_are_no_model(statistics_only, path):
    path.write_bytes(statistics_only)
    assert load(path).rows == 6
    with pytest.raises(
        ModelFileError, match=r"without a model; expected a model; use naively\.load"
    ):
        Model.load(path)


BAD_ARRAYS = {
    "negative class counts": ("class_count", lambda a: -a),
    "class counts that are NaN": ("class_count", lambda a: a * np.nan),
    "a class too many": ("class_count", lambda a: np.append(a, 1.0)),
    "counts as a column": ("class_count", lambda a: a[:, None]),
    "text": ("class_count", lambda a: a.astype(str)),
    "integers": ("class_count", lambda a: a.astype(int)),
    "complex numbers": ("class_count", lambda a: a.astype(complex)),
    "single precision": ("class_count", lambda a: a.astype(np.float32)),
    "big-endian numbers": ("class_count", lambda a: a.astype(">f8")),
}


@pytest.mark.parametrize("case", BAD_ARRAYS)
def test_class_counts_are_counts(case, sound, path):
    name, change = BAD_ARRAYS[case]
    header, members = parts_of(sound)
    members[f"{name}.npy"] = npy(change(np.load(io.BytesIO(members[f"{name}.npy"]))))
    write(path, header, members)
    refused(path)


def arrays_of(sound):
    """The name, the statistic and the field of every array of a term."""
    header, _ = parts_of(sound)
    return [
        (name, part["name"], name.split(".", 1)[1])
        for part in header["statistics"][:-1]
        for name in part["arrays"]
    ]


def test_no_array_may_hold_what_is_not_finite(sound, path):
    for name, _, field in arrays_of(sound):
        for odd in (np.nan, np.inf, -np.inf):
            header, members = parts_of(sound)
            array = np.load(io.BytesIO(members[f"{name}.npy"]))
            if field != "capped" and array.size:
                array.flat[0] = odd
                members[f"{name}.npy"] = npy(array)
                write(path, header, members)
                refused(path)


def test_no_count_may_be_negative(sound, path):
    counts = {("sums", "n"), ("sums", "t"), ("moments", "n"), ("moments", "m2")}
    seen = set()
    for name, kind, field in arrays_of(sound):
        if (kind, field) in counts or field.startswith("weights"):
            header, members = parts_of(sound)
            array = np.load(io.BytesIO(members[f"{name}.npy"]))
            array.flat[0] = -1e-3
            members[f"{name}.npy"] = npy(array)
            write(path, header, members)
            refused(path)
            seen.add((kind, field))
    assert counts < seen


def test_no_array_may_have_another_shape(sound, path):
    for name, _, field in arrays_of(sound):
        header, members = parts_of(sound)
        array = np.load(io.BytesIO(members[f"{name}.npy"]))
        for other in (
            array[..., None],
            array[..., :0],
            np.repeat(array, 2, axis=-1),
            array.ravel()[0],
        ):
            if other.shape != array.shape and not (field == "capped" and other.size == 1):
                members[f"{name}.npy"] = npy(other)
                write(path, header, members)
                refused(path)


BAD_HEADERS = {
    "a class twice": lambda h: h.update(classes=["no", "no", "yes"]),
    "classes equal as numbers": lambda h: h.update(classes=[1, True, 1.0]),
    "a class that is a list": lambda h: h.update(classes=[["no"], "perhaps", "yes"]),
    "a class less": lambda h: h["classes"].pop(),
    "a label twice": lambda h: labels(h).__setitem__(0, labels(h)[1]),
    "a label less": lambda h: labels(h).pop(),
    "labels of an uncoded term": lambda h: term(h, "poisson").update(domains=[["a"]]),
    "no labels of a coded term": lambda h: term(h, "categorical").update(domains=None),
    "a column unknown to the schema": lambda h: h["terms"][0]["columns"].__setitem__(0, "else"),
    "a column twice in the schema": lambda h: columns(h).append(columns(h)[0]),
    "a column less in the schema": lambda h: columns(h).pop(0),
    "a column of another type": lambda h: columns(h)[0].update(type="number"),
    "a column of no known type": lambda h: columns(h)[0].update(type="nested"),
    "a column of another form": lambda h: columns(h)[0].update(form="real"),
    "another family": lambda h: columns(h)[0].update(family={"family": "bernoulli"}),
    "a family by name alone": lambda h: columns(h)[0].update(family="categorical"),
    "a field no family has": lambda h: columns(h)[0]["family"].update(run="rm"),
    "a negative alpha": lambda h: columns(h)[0]["family"].update(alpha=-1),
    "an alpha of text": lambda h: columns(h)[0]["family"].update(alpha="1"),
    "an unknown prior": lambda h: h["model"].update(prior="else"),
    "a prior above 1": lambda h: h["model"].update(prior=[1, 1, 1]),
    "a prior below 0": lambda h: h["model"].update(prior=[-1, 1, 1]),
    "a prior of other classes": lambda h: h["model"].update(prior={"pairs": [["else", 1.0]]}),
    "a prior that is no number": lambda h: h["model"].update(prior=None),
    "another rule for impossible rows": lambda h: h["model"].update(impossible="shrug"),
    "negative features": lambda h: h["estimator"].update(n_features=-1),
    "names of fewer features": lambda h: h["estimator"]["names"].pop(),
    "a parameter nobody has": lambda h: h["estimator"]["params"].update(run=1),
    "a declared class twice": lambda h: h["estimator"].update(declared=["no", "no"]),
    "statistics of fewer terms": lambda h: h["statistics"].pop(0),
    "no statistics": lambda h: h.update(statistics=[]),
    "negative rows": lambda h: h.update(rows=-1),
    "rows of text": lambda h: h.update(rows="6"),
}


def labels(header):
    return term(header, "categorical")["domains"][0]


def term(header, kind):
    at = [one["kind"] for one in header["terms"]].index(kind)
    return header["statistics"][at]


def columns(header):
    return header["model"]["schema"]["columns"]


@pytest.mark.parametrize("case", BAD_HEADERS)
def test_a_header_that_does_not_fit_is_refused(case, sound, path):
    header, members = parts_of(sound)
    BAD_HEADERS[case](header)
    write(path, header, members)
    with pytest.raises(ModelFileError):
        load(path)


def test_a_header_that_is_no_object_is_refused(sound, path):
    _, members = parts_of(sound)
    for raw in (
        b"",
        b"[]",
        b"1",
        b'"x"',
        b"null",
        b"{",
        b"\xff",
        b"\xef\xbb\xbf{}",
        b'{"format": 1}',
    ):
        write(path, raw, members)
        refused(path)


def test_a_coding_that_does_not_fit_is_refused(sound, path):
    def coded(header):
        return next(t for t in header["terms"] if (t["coding"] or {}).get("name") == "bins")

    for odd in (
        {"name": "bins"},
        {"name": "bins", "edges": "0"},
        {"name": "bins", "edges": [0, None]},
        {"name": "bins", "edges": [1, 0]},
        {"name": "is", "value": 0},
        {"name": "then"},
        {"name": "then", "first": None, "second": None},
        {},
        None,
    ):
        header, members = parts_of(sound)
        coded(header)["coding"] = odd
        write(path, header, members)
        refused(path)


def test_statistics_that_no_rows_could_give_are_refused(sound, path):
    header, members = parts_of(sound)
    at = [one["kind"] for one in header["terms"]].index("poisson")
    changes = {"t": lambda a: -a, "n": lambda a: a * 0}
    for field, change in changes.items():
        name = f"{at}.{field}.npy"
        array = change(np.load(io.BytesIO(members[name])))
        write(path, header, {**members, name: npy(array)})
        refused(path, "means that no column of the family can have")


@pytest.mark.parametrize("change", [lambda c: c[:-1], lambda c: [*c, c[0]], lambda c: ["z"]])
def test_the_columns_of_the_table_hold_those_that_are_counted(sound, path, change):
    header, members = parts_of(sound)
    write(path, {**header, "columns": change(header["columns"])}, members)
    refused(path, "columns beside those of the terms")
    write(path, {**header, "columns": [*header["columns"], "left out"]}, members)
    load(path)
