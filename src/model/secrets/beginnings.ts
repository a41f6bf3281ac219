// Finds the longest beginning of a text with which the characters read so far end: the algorithm of Knuth, Morris and Pratt.

/** The beginnings (prefixes) of a text. A beginning is identified by its length. */
export class Beginnings {
  readonly text: string;
  readonly #onStep: (() => void) | undefined;
  /** By the length of a beginning: the next shorter beginning with which it ends; -1 for the empty one. */
  readonly #shorter: Int32Array;
  /**
   * The same, but without beginnings that continue with the same character as the longer beginning: if it fails, they fail too.
   */
  readonly #other: Int32Array;
  /**
   * The beginnings as a tree: the parent of a beginning is the next shorter beginning with which it ends. By length: the position
   * in preorder, and the size of the subtree.
   */
  readonly #place: Int32Array;
  readonly #size: Int32Array;

  /** `onStep` is called at each step of a search, so that a test can count how the steps grow with the text. */
  constructor(text: string, onStep?: () => void) {
    this.text = text;
    this.#onStep = onStep;
    this.#shorter = shorterOnes(text);
    this.#other = otherOnes(text, this.#shorter);
    [this.#place, this.#size] = inPreorder(this.#shorter);
  }

  /** Reports a step of a search. */
  step(): void {
    this.#onStep?.();
  }

  /** The longest beginning with which the text ends after `read`, if it ended with the beginning of this length before. */
  after(length: number, read: string): number {
    let at = length;
    for (;;) {
      this.step();
      if (at < 0 || this.text[at] === read) return at + 1;
      at = this.#other[at] ?? -1;
    }
  }

  /** The longest shorter beginning with which a beginning ends. */
  within(length: number): number {
    return Math.max(0, this.#shorter[length] ?? 0);
  }

  /** Whether a beginning ends with a shorter one, or equals it. */
  isEndOf(shorter: number, longer: number): boolean {
    const place = this.#place[shorter] ?? 0;
    const other = this.#place[longer] ?? 0;
    return place <= other && other < place + (this.#size[shorter] ?? 0);
  }
}

function shorterOnes(text: string): Int32Array {
  const shorter = new Int32Array(text.length + 1);
  shorter[0] = -1;
  let at = -1;
  for (let length = 1; length <= text.length; length++) {
    while (at >= 0 && text[at] !== text[length - 1]) at = shorter[at] ?? -1;
    at++;
    shorter[length] = at;
  }
  return shorter;
}

function otherOnes(text: string, shorter: Int32Array): Int32Array {
  const other = Int32Array.from(shorter);
  for (let length = 1; length < text.length; length++) {
    const next = shorter[length] ?? 0;
    if (text[next] === text[length]) other[length] = other[next] ?? -1;
  }
  return other;
}

function inPreorder(shorter: Int32Array): [place: Int32Array, size: Int32Array] {
  const size = new Int32Array(shorter.length).fill(1);
  for (let length = size.length - 1; length > 0; length--)
    size[shorter[length] ?? 0] = (size[shorter[length] ?? 0] ?? 0) + (size[length] ?? 0);
  const place = new Int32Array(shorter.length);
  const free = new Int32Array(shorter.length);
  free[0] = 1;
  for (let length = 1; length < size.length; length++) {
    const above = shorter[length] ?? 0;
    place[length] = free[above] ?? 0;
    free[length] = (place[length] ?? 0) + 1;
    free[above] = (free[above] ?? 0) + (size[length] ?? 0);
  }
  return [place, size];
}
