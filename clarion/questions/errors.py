"""What can be wrong with a question."""

from clarion.base.errors import Conflict, NotFound, Unprocessable


class NoSuchQuestion(NotFound):
    code = "no_such_question"

    def __init__(self, question_id: str) -> None:
        super().__init__(f"There is no question {question_id!r}.")


class NobodyToAsk(Unprocessable):
    """A name that no contact has, or somebody who has not agreed."""

    code = "nobody_to_ask"


class QuestionOver(Conflict):
    code = "question_over"

    def __init__(self, status: str) -> None:
        super().__init__(f"This question is {status}.")
