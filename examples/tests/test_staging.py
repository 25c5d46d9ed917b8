"""A class that only makes a directory."""


def test_staging(compile):
    catalog = compile("staging", params={"path": "/srv/staging"})
    assert catalog.contains_only(
        "File[/srv/staging]",
        ensure="directory",
        owner=lambda one: str(one) == "0",
        group=any_text,
        mode="0755",
    )


def any_text(value):
    return value is not None
