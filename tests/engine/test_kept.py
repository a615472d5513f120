"""What is kept is good for the state that it was made from, and for no other."""

from threading import Thread

from recollect.engine.kept import _HELD, Kept


def test_only_what_was_made_from_this_state() -> None:
    """Another state, another key and a user who was dropped find nothing."""
    kept = Kept[str]()
    assert kept.put(("ann", 1), "then", "made") == "made"
    assert kept.get(("ann", 1), "then") == "made"
    assert kept.get(("ann", 1), "now") is None
    assert kept.get(("ann", 2), "then") is None
    kept.put(("bob", 1), "then", "his")
    kept.drop("ann")
    assert kept.get(("ann", 1), "then") is None
    assert kept.get(("bob", 1), "then") == "his"


def test_the_oldest_go_first() -> None:
    """It holds no more than it should; what was made anew is young again."""
    kept = Kept[int]()
    for number in range(_HELD):
        kept.put(("ann", number), 0, number)
    kept.put(("ann", 0), 1, 0)
    kept.put(("ann", _HELD), 0, _HELD)
    assert (kept.get(("ann", 0), 1), kept.get(("ann", 1), 0)) == (0, None)


def test_forgetting_between_reads_breaks_none() -> None:
    """Threads that keep things while another forgets their user meet no error."""
    kept, errors = Kept[int](), list[BaseException]()

    def work() -> None:
        try:
            for number in range(2000):
                kept.put(("ann", number % 200), number, number)
                kept.drop("ann") if number % 7 == 0 else kept.get(("ann", number % 200), number)
        except BaseException as error:
            errors.append(error)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
