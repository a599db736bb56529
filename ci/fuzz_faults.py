"""How ci/nightly and ci/mutants run a fuzz target, and how they tell one fault from another."""

import re

# --- What may be changed ----------------------------------------------------------------------------------------------
MAX_UNIT_SECONDS = 25
RSS_LIMIT_MB = 2048
# How many functions of ours tell one fault from another.
FRAMES = 3
# ----------------------------------------------------------------------------------------------------------------------

LIMITS = [f"-timeout={MAX_UNIT_SECONDS}", f"-rss_limit_mb={RSS_LIMIT_MB}"]
OUR_FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ in (.*?) (/\S*?(?:parsers|oracles|fuzz|golden|synth)/\S+?):\d+", re.MULTILINE)
SANITIZER = re.compile(r"ERROR: \w*Sanitizer: ([\w-]+)|ERROR: libFuzzer: ([\w -]+)")
UNDEFINED = re.compile(r"runtime error: ([^\n]*)")
# What the harness prints: a promise in words, or the name of an oracle and what it saw.
PROMISE = re.compile(r"^(?:broken promise: (.*)|(round_trip|canonical|profiles|lookup|prefixes|determinism|"
                     r"findings_are_sane|codec_round_trip): )", re.MULTILINE)


def signature(text):
    """Kind and topmost functions of ours of one crash."""
    undefined, sanitizer = UNDEFINED.search(text), SANITIZER.search(text)
    promise = PROMISE.search(text)
    if undefined:
        # Numbers differ from input to input.
        kind = "undefined: " + re.sub(r"0x[0-9a-f]+|-?\d+", "N", undefined.group(1)).split(" which")[0]
    elif sanitizer and (sanitizer.group(1) or "deadly" not in sanitizer.group(2)):
        kind = (sanitizer.group(1) or sanitizer.group(2)).strip()
    elif promise:
        kind = promise.group(1) or promise.group(2)
    else:
        kind = "abort"
    frames = []
    for function, _ in OUR_FRAME.findall(text):
        name = re.sub(r"\(.*|<.*", "", function.replace("(anonymous namespace)::", ""))
        if "require" not in name and name not in frames:
            frames.append(name)
    return kind, " < ".join(frames[:FRAMES]) or "unknown"
