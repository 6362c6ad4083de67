"""A missing tool skips a test, or fails it where the tool is required."""

from __future__ import annotations

import pytest

from tests import needed


@pytest.fixture(autouse=True)
def without_shellcheck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed, "missing", {"shellcheck": "shellcheck is missing"}.get)


def test_at_a_desk_a_missing_tool_skips_the_test_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_REQUIRED", raising=False)
    with pytest.raises(pytest.skip.Exception, match="shellcheck is missing"):
        needed.need("shellcheck")


def test_a_missing_tool_that_is_required_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_REQUIRED", "lintian shellcheck")
    with pytest.raises(pytest.fail.Exception, match="shellcheck is missing"):
        needed.need("shellcheck")
    needed.need("lintian")


def test_a_tool_that_nobody_knows_cannot_be_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_REQUIRED", "lintain")
    with pytest.raises(
        pytest.UsageError, match="there is no lintain; there are apt-ftparchive, browser, debian-13, dh, dpkg-deb"
    ):
        needed.required()


def test_tests_that_were_not_tried_are_counted_with_the_packages_they_want(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {"browser": "no driver", "shellcheck": "no shellcheck", "root": "only root", "another-user": "only root"}
    monkeypatch.setattr(needed, "missing", missing.get)
    assert needed.not_tried(["no driver", "this chip does not debounce", "no shellcheck", "no driver"]) == (
        "Not tried: 3 tests, for want of chromium-driver, shellcheck."
    )
    assert needed.not_tried(["only root"]) == "Not tried: 1 test, for want of root's rights."
    assert needed.not_tried(["this chip does not debounce"]) == ""
