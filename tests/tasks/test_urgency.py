from clarion.tasks.model import is_urgent, urgency


def test_work_is_ordinary_unless_said_otherwise() -> None:
    assert not is_urgent()

    with urgency(50):
        assert is_urgent()
        with urgency(10):
            assert not is_urgent()
        assert is_urgent()

    assert not is_urgent()
