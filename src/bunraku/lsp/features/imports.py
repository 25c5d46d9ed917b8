"""What the first requests and findings need, imported in steps: an import cannot be interrupted."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.lsp.background import Step


def import_steps() -> Iterator[Step]:
    """Yield steps that import what the first requests and findings need, when nothing else is to be done.

    No step takes long, because none can be interrupted.
    """
    yield import_resource_types
    yield import_values
    yield import_hover
    yield import_readers
    yield import_request
    yield import_templates
    yield from imports_for_findings()


def imports_for_findings() -> Iterator[Step]:
    """Yield steps that import the analysis and the lint."""
    yield import_validation
    yield import_declared_types
    yield import_state
    yield import_analysis
    yield import_lint


def import_resource_types() -> object:
    """Import the types of resources."""
    from bunraku.workbench.editor import described_types

    return described_types


def import_values() -> object:
    """Import what shows values of data."""
    from bunraku.workbench.editor import shown_values

    return shown_values


def import_hover() -> object:
    """Import what hover needs: it shows the words of most parts of bunraku."""
    from bunraku.lsp.features.hover import hover_of

    return hover_of()


def import_readers() -> None:
    """Import the readers of names in data and templates."""
    from bunraku.workbench.editor.languages.readers import reader_of

    for name in ("a.yaml", "a.erb"):
        reader_of(name)


def import_request() -> object:
    """Import what the analysis knows of a project."""
    from bunraku.engine import request

    return request


def import_templates() -> object:
    """Import what finds mistakes in templates."""
    from bunraku.workbench.analysis import templates

    return templates


def import_validation() -> object:
    """Import the checks of the attributes of resources."""
    from bunraku.apply import validate

    return validate


def import_declared_types() -> object:
    """Import what the analysis knows of types."""
    from bunraku.workbench.analysis import declared_types

    return declared_types


def import_state() -> object:
    """Import the state of the analysis."""
    from bunraku.workbench.analysis import state

    return state


def import_analysis() -> object:
    """Import the analysis."""
    from bunraku.jobs import analysis

    return analysis


def import_lint() -> object:
    """Import the lint."""
    from bunraku.workbench.lint import run

    return run
