"""One benchmark measured by itself changes its own section of the page, and no other."""

from benchmarks.page import merged

ORDER = ["Growth", "Rates", "Start"]
PAGE = """# Results

- a day, a machine

## Growth

```
old growth
```

![growth](growth.svg)

## Start

old start
"""


def test_a_section_measured_again_is_replaced_in_its_place() -> None:
    page = merged(PAGE, {"Growth": "## Growth\n\nnew growth\n"}, ORDER)

    assert page == (
        "# Results\n\n- a day, a machine\n\n## Growth\n\nnew growth\n\n## Start\n\nold start\n"
    )


def test_a_section_measured_for_the_first_time_stands_where_the_others_expect_it() -> None:
    page = merged(PAGE, {"Rates": "## Rates\n\nnew rates\n"}, ORDER)

    assert page == PAGE.replace("## Start", "## Rates\n\nnew rates\n\n## Start")


def test_a_page_that_nothing_was_measured_for_stays_as_it_was() -> None:
    assert merged(PAGE, {}, ORDER) == PAGE


def test_a_section_of_a_benchmark_that_is_no_more_is_kept_at_the_end() -> None:
    page = merged(PAGE, {"Start": "## Start\n\nnew start\n"}, ["Start"])

    assert page.index("new start") < page.index("old growth")


def test_a_whole_run_begins_with_its_head_alone() -> None:
    measured = {"Start": "## Start\n\nlast\n", "Growth": "## Growth\n\nfirst\n"}

    page = merged("# Results\n", measured, ORDER)

    assert page == "# Results\n\n## Growth\n\nfirst\n\n## Start\n\nlast\n"
