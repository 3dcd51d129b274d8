"""ENet's range coder: what an adaptive order-2 model has compressed.

SPDX-License-Identifier: GPL-2.0-or-later
"""

TOP, BOTTOM, WORD = 1 << 24, 1 << 16, 0xFFFFFFFF
MOST_SYMBOLS, LONGEST = 4096, 4096
ORDER = 2  # bytes before a byte, of which the model knows


class Context:
    """How often each byte has come after some others. The root has all bytes at least once."""

    def __init__(self, root=False):
        self.counts = {}  # of bytes
        self.following = {}  # context after each byte
        self.least, self.delta = (1, 3) if root else (0, 2)
        self.escapes = 1 if root else 0
        self.total = self.escapes + 256 * self.least
        self.parent = None

    def weights(self):
        values = range(256) if self.least else sorted(self.counts)
        return [(value, self.counts.get(value, 0) + self.least) for value in values]

    def add(self, value, escaped):
        """Counts a byte. `escaped`: the context did not predict it."""
        before = self.counts.get(value, 0) + self.least
        new = value not in self.counts
        self.counts[value] = self.counts.get(value, 0) + self.delta
        if escaped and not before:
            self.escapes += 5
            self.total += 5
        self.total += self.delta
        if before > 0xFF - 2 * self.delta + self.least or self.total > BOTTOM - 0x100:
            self.counts = {key: count - (count >> 1) for key, count in self.counts.items()}
            self.escapes -= self.escapes >> 1
            self.total = sum(self.counts.values()) + self.escapes + 256 * self.least
        return new


class Bytes:
    def __init__(self, data):
        self.data, self.at, self.low, self.range, self.code = data, 0, 0, WORD, 0
        for _ in range(4):
            self.code = self.code << 8 | self.next()

    def next(self):
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def read(self, total):
        self.range //= total
        return ((self.code - self.low) & WORD) // self.range

    def take(self, under, count):
        self.low = (self.low + under * self.range) & WORD
        self.range = self.range * count & WORD
        while True:
            if self.low ^ ((self.low + self.range) & WORD) >= TOP:
                if self.range >= BOTTOM:
                    return
                self.range = -self.low & (BOTTOM - 1)
            self.code = (self.code << 8 | self.next()) & WORD
            self.range = self.range << 8 & WORD
            self.low = self.low << 8 & WORD

    def one_of(self, context):
        """The next byte by this context's counts; None: it is none of them."""
        code = self.read(context.total)
        if code < context.escapes:
            self.take(0, context.escapes)
            return None
        under = context.escapes
        for value, count in context.weights():
            if code < under + count:
                self.take(under, count)
                return value
            under += count
        raise ValueError("not of the range coder")


def range_decoded(data):
    source, found = Bytes(data), bytearray()
    root = Context(root=True)
    predicted, order, symbols = root, 0, 1
    while True:
        context, value = predicted, None
        while value is None:
            if context is root or 0 < context.escapes < context.total:
                value = source.one_of(context)
            if value is None:
                if context is root:
                    return bytes(found)
                context = context.parent
        known, at, after = context, predicted, []
        while True:
            symbols += at.add(value, at is not known)
            after.append(at.following.setdefault(value, Context()))
            if at is known:
                break
            at = at.parent
        for longer, shorter in zip(after, after[1:]):
            longer.parent = shorter
        if known is root:
            after[-1].parent = root
        found.append(value)
        if len(found) > LONGEST:
            raise ValueError("too long")
        predicted = after[0]
        if order >= ORDER:
            predicted = predicted.parent
        else:
            order += 1
        if symbols >= MOST_SYMBOLS - ORDER:
            root = Context(root=True)
            predicted, order, symbols = root, 0, 1
