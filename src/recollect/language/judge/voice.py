"""Whose voice a message speaks in: what of it the user says of themself, and what they paste, quote, play or mock.

Mails, chat logs, stack traces, letters, lyrics and drafts are cut away or silence the whole message; sarcasm silences a
sentence. Quotations, code and role play inside sentences are `clause`'s. It does not know what a statement says. It errs
to silence: who pastes a mail and tells something beside it can say it again.
"""

import re

from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, signs

#: Characters of a message that are read; what is longer is a document.
READ = 4000
#: Lines of such length with no full stop are verse or a table, when there are many.
_MANY_LINES = 6

_MAIL = Pattern(
    r"^(?:from|to|subject|cc|date|sent|betreff|von)\s*:\s*\S.*$|^-{2,}\s*(?:original|forwarded) message|^on .{5,80} wrote:\s*$",
    re.IGNORECASE | re.MULTILINE,
)
#: The same in one line, and what is passed on.
_FORWARDED = Pattern(
    r"^[ \t]{0,5}(?:fwd?|wg) ?:|(?:^|\s)from:\s[^\n]{1,120}?\s(?:to|sent|subject|date|cc):\s",
    re.IGNORECASE | re.MULTILINE,
)
_LETTER = Pattern(
    r"^\s*(?:dear|hi|hello|hey)\s[^\n]{1,40},?\s*\n[\s\S]*?\n\s*(?:kind regards|best regards|regards|sincerely|yours|best|cheers|love|warmly"
    r"|thanks|many thanks|best wishes|mit freundlichen)\b[^\n]{0,20}\n?[^\n]{0,40}",
    re.IGNORECASE | re.MULTILINE,
)
_DEAR = Pattern(
    r"^\s*[\"'\u201c]?dear (?:diary|sir|madam|mr|mrs|ms|dr|prof|hiring|team|all|\w+,)",
    re.IGNORECASE | re.MULTILINE,
)
#: A transcript: stamped or named lines, at least two of them.
_CHAT_LINE = Pattern(
    r"^\s*(?:\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]?\s*)?(?:<\w+>|[A-Z][\w .'-]{0,24}):\s+\S.*$|^\s*\[\d{1,2}:\d\d[^\n]*$",
    re.MULTILINE,
)
_LOG_LINE = Pattern(
    r"^\s*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:error|warn(?:ing)?|info|debug|trace|fatal)\]?[:\s]|traceback|\s+at \w+[.\w$]*\(|file \"|"
    r"[$>#%] ?\w|\w+(?:error|exception)\b|caused by|npm err|[{}\[\]]\s*$|\"\w+\"\s*:|<\/?\w+|import \w+|from \w+ import|def \w+\(|class \w+|function \w+\(|const |let |var |return |public |private |#include)",
    re.IGNORECASE | re.MULTILINE,
)
_SPOKEN_FOR = Pattern(
    r"\b(?:here(?:'s| is| are)(?! my (?:setup|stack|situation|background|details|info|profile|context))|(?:write|draft|compose|create|generate|make|print|echo|say|send|reply|answer|post|type|begin|start|open|end) (?:me |us )?(?:an?|the|this|with|it|in|my|some|it as)|this is|below is|see|read|look at|check(?: out)?|review|fix|edit|improve|polish|shorten|rewrite|summari[sz]e"
    r"|translate|proofread|grade|rate|what do you think (?:of|about)|continue|finish|caption|correct|format|convert|paraphrase|classify"
    r"|the (?:mail|email|letter|text|review|song|poem|ad|article|sign|label|post|tweet|message|note|bio|essay|paragraph|sentence|quote|character|narrator|patient|customer|client|user|dialogue|prompt|story|caption|speech|lyrics?)"
    r"|lyrics?|someone|somebody|reddit|twitter|a (?:friend|user|customer|colleague|guy|stranger)|they|he|she|my (?:\w+ ){0,2}(?:wrote|says|said|texted|asked|replied|told \w+)|wrote|says|(?<!i )said|reads|goes|asked|replied|told|texted|posted|tweeted|titled|example|e\.g\.|sample|template|draft|opening line|first line|line \d+|verse|chorus|test (?:sentence|string|data|input)|input|output|string|text|sentence|phrase|title|slogan|tagline|profile|bio|about me)\b"
    r"[^.!?\n]{0,80}?:[ \t]*(?:\n|\S)",
    re.IGNORECASE,
)
#: A heading over what others wrote: "Job ad I found:", "From their website:", in front of a colon, a dash or a line.
_OTHERS = Pattern(
    r"(?:^|[.!?\n][ \t]*)(?:(?!(?:i|i'm|i've|i'd|i'll|we|we're|my|our|me|he|she|and|but|so|today|yesterday|then|now|well|ok|okay|when|since|because|after|as|in|what)[ \t])[^\s:.!?]+[ \t]+){0,6}?"
    r"(?:(?:ad|ads|advert|advertisement|listing|job post(?:ing)?|posting|job (?:offer|description)|vacancy|brochure|flyer|flier|leaflet|poster|press release|newsletter|blurb"
    r"|testimonials?|headline|web ?site|homepage|web ?page|faq|handbook|guidelines|terms and conditions|small print|clause|blog post|forum post|voicemail)\b[^.!?:\n]{0,50}?(?::|[ \t]+[-\u2013\u2014](?=[ \t])|[ \t]*\n)"
    r"|(?<=[\w] )(?:i|we) (?:just |recently )?(?:found|saw|read|spotted|came across|copied|pasted|received|was sent|got sent)\b[^.!?:\n]{0,40}?:)",
    re.IGNORECASE,
)
#: Before a colon these introduce the user's own words.
_OWN_COLON = Pattern(
    r"(?:^|[.!?\n]\s*)(?:[^.!?\n:]{0,30}\b)?(?:context|background|note|notes?(?: for \w+ \w+)?|fyi|remember|remember this|save this|ps|btw|update|intro|quick intro|about me|two things|three things"
    r"|one thing|some facts|facts about me|for (?:the )?(?:record|file|reference|context)|reminder|important|info|news|so|correction|also|edit|confession|fun fact|situation|keep in mind|little update|small update|good news|bad news|heads up|disclaimer|setup|my setup|my stack)\s*:",
    re.IGNORECASE,
)
_SARCASM = Pattern(
    r"(?:^|[.!?]\s*)(?:oh(?: \w+)?,? (?:great|joy|good|wonderful|fantastic|perfect|lovely|yay|sure|goody|brilliant)|yay,|sure,? because|yeah,? (?:right|sure)|as if i|right,? because|because (?:obviously|of course|clearly) i|of course,? because|"
    r"(?:great|wonderful|fantastic|brilliant|lovely|perfect|awesome|super|fabulous|splendid|nice),? (?:another|more|just what|yet another|now i))\b"
    r"|\byeah,? right\b|\bjust what i (?:needed|wanted|always wanted)\b|\s/s\b|\U0001f644|\U0001f643|\bnot\s*!+$|\b(?:so|such) (?:much )?fun\b.*\bnot\b|\bwhat a treat\b"
    r"|\bi (?:(?:just|simply|absolutely|totally|really|truly|so) )*(?:love|adore|enjoy|live for) (?:it )?(?:when|how|waiting|being (?:woken|ignored|told|stuck|late|on hold|interrupted|yelled|asked)|getting (?:woken|stuck|yelled|up at [45])|sitting in traffic"
    r"|standing in|having to|losing|filling (?:in|out)|paying (?:taxes|bills|rent|fines)|doing (?:taxes|paperwork)|debugging at|spending (?:hours|my (?:evening|weekend|night|saturday|sunday)s?)|rebooting|merge conflicts|on-?call|mondays|\w+ing (?:\w+ ){0,6}at (?:midnight|[2-5] ?am))",
    re.IGNORECASE,
)
_PLAYED = Pattern(
    r"\b(?:role-?play|in (?:the|my) (?:story|novel|book|game|script|play|dream|campaign)|the narrator|(?:my|the) character|keep (?:that|the) voice|in character"
    r"|write (?:it|this|me)? ?as if|pretend|speaking as|from the perspective|persona|screenplay|monologue|lyrics?|song goes|poem|haiku|dear diary"
    r"|dictated|diary entry|quote of the day|proverb|saying goes|my d&d|for the (?:exam|quiz|test) question|flash ?cards?|sample (?:sentence|answer|patient)|practi[cs]e (?:sentence|dialogue)|example sentences?)\b",
    re.IGNORECASE,
)
_SPEAKERS = Pattern(
    r"\[transcript\]|\b(?:speaker|participant|interviewer|caller|agent|patient|doctor|customer) ?\d*: \S",
    re.IGNORECASE,
)
_PASTED = any_of(
    signs(
        "from:|subject:|wrote:|dear |regards|sincerely|:| at |error|traceback|lyrics|role|story|novel|narrator|character|voice|pretend|poem|diary"
        "| ad |advert|listing|posting|vacancy|brochure|flyer|website|dictated|exception|```|forwarded|original message|screenplay|monologue|persona|sample|flash"
    )
)


def own_text(text: str) -> str:
    """What of a message may be the user's own account; empty when nothing is sure to be."""
    text = text[:READ]
    if "\n" in text:
        text = _without_blocks(text)
    low = text.lower()
    if not _PASTED.search(low):
        return text
    if _DEAR.search(text) or _FORWARDED.search(text) or _PLAYED.search(text) or _SPEAKERS.search(text):
        return ""
    if ":" in text:
        text = _without_material(text)
    if (others := _OTHERS.search(text)) is not None and not _OWN_COLON.search(others.group()):
        text = text[: others.start()]
    return text


def _without_blocks(text: str) -> str:
    """The text without mails, transcripts, logs and verse."""
    if _MAIL.search(text):
        # Behind a mail a blank line and a request may follow; what it tells cannot be told apart.
        return ""
    text = _LETTER.sub("\n", text)
    lines = text.splitlines()
    chat = sum(1 for line in lines if _CHAT_LINE.match(line) and not _OWN_COLON.match(line))
    if chat >= 2:
        lines = [line for line in lines if not _CHAT_LINE.match(line)]
    lines = [line for line in lines if not _LOG_LINE.match(line)]
    short = [line for line in lines if line.strip() and not line.rstrip().endswith((".", "!", "?", ":"))]
    verse = len(short) >= _MANY_LINES and not any(
        line.lstrip().startswith(("-", "*", "\u2022")) for line in short
    )
    return "" if verse else "\n".join(lines)


def _without_material(text: str) -> str:
    """The text up to where somebody else's words begin behind a colon."""
    for match in _SPOKEN_FOR.finditer(text):
        colon = text.index(":", match.start())
        head = text[: colon + 1]
        if _OWN_COLON.search(head[max(0, colon - 60) :]) or text[colon + 1 : colon + 3].strip().isdigit():
            continue
        start = max(text.rfind(mark, 0, match.start()) for mark in ".!?\n")
        return text[: start + 1]
    return text


def is_sarcastic(text: str) -> bool:
    """Whether a sentence means the opposite of what it says, by its marks."""
    return _SARCASM.search(text) is not None
