"""The words of the history's pages."""

from __future__ import annotations

from companion.core.text import N_, NC_

TEXTS = {
    "history": N_("History"),
    "games": N_("Games"),
    "people": N_("People"),
    "league": N_("League"),
    "league-table": N_("League table"),
    "evenings": N_("Evenings"),
    "back": NC_("page", "Table"),
    "pages": N_("Pages of the history"),
    # the list
    "filter": N_("Choose games"),
    "game": N_("Game"),
    "every-game": N_("all games"),
    "person": N_("Person"),
    "everybody": N_("everybody"),
    "since": N_("From"),
    "until": N_("Until"),
    "show": N_("Show"),
    "found": N_("Games found: {count}"),
    "from-to": N_("{first} to {last} of {count}"),
    "other-pages": N_("More of the list"),
    "newer": N_("Newer"),
    "older": N_("Older"),
    "no-games": N_("No game is finished yet."),
    "none-found": N_("No finished game is like this. Choose others above."),
    "no-day": N_("Date not known"),
    "download": N_("Download these games"),
    "csv": N_("CSV for spreadsheets"),
    "json": N_("JSON for programs"),
    "bgsplay": N_("File for BG Stats"),
    # a game
    "number": N_("Game {number}"),
    "players": N_("Players"),
    "begun": N_("Begun"),
    "duration": N_("Duration"),
    "tracking": N_("Entered"),
    "entries": N_("Number of entries"),
    "scores": N_("Scores"),
    "course": N_("The course of the game"),
    "deeds": N_("What each player did"),
    "deed": N_("What"),
    "deed-entries": N_("{deed}, {player}:"),
    "timeline": N_("{symbol} by trick"),
    "by": N_("by {players}"),
    "export": N_("Export the log"),
    "bgstats": N_("Add to BG Stats"),
    # steps
    "steps": N_("Step by step"),
    "step": N_("Entry {number} of {count}"),
    "step-0": N_("Before the first entry"),
    "first": N_("First"),
    "previous": N_("Previous"),
    "next": N_("Next"),
    "last": N_("Last"),
    "moves": N_("Go to another entry"),
    "moments": N_("Rounds and tricks"),
    "piles": N_("Piles on the table"),
    "in": N_("trump in {count}"),
    "player": N_("Player"),
    "trick": N_("Cards of the trick"),
    "figures": N_("Figures of the round"),
    "total": N_("Total"),
    # other rules
    "what-if": N_("What if …"),
    "what-if-help": N_("The same cards, scored by other rules."),
    "figure": N_("number"),
    "score-again": N_("Score again"),
    "recorded": N_("Recorded"),
    "by-these-rules": N_("By these rules"),
    "difference": N_("Difference"),
    "same-rules": N_("These are the rules that were played by."),
    # people
    "name": N_("Name"),
    "played": N_("Games"),
    "won": NC_("games", "Won"),
    "win-rate": N_("Win rate"),
    "rank-share": N_("Rank share"),
    "rank-share-help": N_("Rank share: 100% is always first, 0% always last, whatever the number of players."),
    "rating": N_("Rating"),
    "rating-help": N_("Rating: everybody begins at 1000; it is shown from 5 games on."),
    "streak": N_("Wins in a row"),
    "longest-streak": N_("Most wins in a row"),
    "as-starter": N_("Won as starter"),
    "time": N_("Time played"),
    "last-game": N_("Last game"),
    "all-games": N_("All games"),
    "best-game": N_("Best game"),
    "worst-game": N_("Worst game"),
    "best-round": N_("Best round"),
    "worst-round": N_("Worst round"),
    "head-to-head": N_("Against others"),
    "other": N_("Against"),
    "ahead": N_("Ahead"),
    "behind": N_("Behind"),
    "level": N_("Level"),
    "a-game": N_("A game"),
    "of": N_("{part} of {whole}"),
    "round": N_("round {round}"),
    "imported": N_("imported"),
    "all-of": N_("All games of {name}"),
    # the league
    "records": N_("Records"),
    "highest": N_("Highest score"),
    "lowest": N_("Lowest score"),
    "longest": N_("Longest game"),
    "closest": N_("Closest win"),
    "rounds": N_("Points of each round"),
    "by-points": N_("by {points}"),
    "won-by": N_("won by {points}"),
    # an evening
    "summary": N_("Summary"),
    "share": N_("Share the summary"),
    "copied": N_("The summary is copied."),
    # sentences
    "unreadable": N_("Games that cannot be read, and are left out here: {count}"),
    "near": N_("Did you mean:"),
}
"""Each text by its name in the templates."""

PERCENT = N_("{share}%")
DECIMAL = N_("{whole}.{part}")
DAY = N_("{day} {year}")
MOMENT = N_("{day}, {time}")
NO_HISTORY = N_("This box keeps its journal in memory only, so it has no history.")
NO_GAME = N_("There is no finished game {number}.")
SEVERAL = N_("Several games have the number {number}.")
NO_STEP = N_("There is no entry {number}; {count} stand")
NO_PERSON = N_("Nobody called {name} has finished a game.")
NO_EVENING = N_("No game of {day} is finished.")
NO_DATE = N_("“{text}” is no date; a date is written 2026-11-22.")
NO_KIND = N_("There is no game “{text}”.")
NO_NUMBER = N_("“{text}” is no number.")
STILL_READING = N_("Games still to be read: {count}. The page follows by itself.")
UNREADABLE = N_("The journal cannot be read: {why}")
GAME_UNREADABLE = N_("Game {number} cannot be read: {why}")
