"""Suggests single corrections where an alert, a refusal or a result shows that something was mistyped.

`suggest` searches the round for every single change that would make it legal: another answer to one question, an
entry left out, put in, or exchanged with its neighbour. Each is weighted by how likely the slip is with the keys that
were really typed, and by how likely people hold and lay such cards (`odds` in `companion.core.game`). It can only say
what is likely: a slip and a breach of the rules look alike.
"""

from .offers import Offer, offers
from .search import Search, question_kind, suggest
from .search_reason import NoticedFault, SearchReason
from .search_types import Priors, RoundChange, Suggestion

__all__ = [
    "NoticedFault",
    "Offer",
    "Priors",
    "RoundChange",
    "Search",
    "SearchReason",
    "Suggestion",
    "offers",
    "question_kind",
    "suggest",
]
