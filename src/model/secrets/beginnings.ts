// Finds how much of the beginning of a text the last characters read are: the automaton of Knuth, Morris and Pratt.

/** The beginnings of a text, by their lengths. */
export class Beginnings {
  readonly text: string;
  readonly #onStep: (() => void) | undefined;
  /** By length, the next shorter beginning that a beginning ends with; -1 after the empty one. */
  readonly #shorter: Int32Array;
  /** The same without beginnings that are followed by the same character as the longer beginning: they fail with it. */
  readonly #other: Int32Array;
  /**
   * The beginnings as a tree, in which each one is below the next shorter one that it ends with: the place of each in preorder, and
   * the number of those at or below it.
   */
  readonly #place: Int32Array;
  readonly #size: Int32Array;

  /** `onStep` is called at each step of a search, so that a proof can count how the steps grow with the text. */
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

  /** The longest beginning that ends with `read` after the beginning of this length, or after one that it ends with. */
  after(length: number, read: string): number {
    let at = length;
    for (;;) {
      this.step();
      if (at < 0 || this.text[at] === read) return at + 1;
      at = this.#other[at] ?? -1;
    }
  }

  /** The longest beginning that a longer one ends with. */
  within(length: number): number {
    return Math.max(0, this.#shorter[length] ?? 0);
  }

  /** Whether a beginning ends with a shorter one, or is the same. */
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
