// A binary heap of numbers that returns the smallest first.

/** A heap. Adding a number and taking the smallest number take logarithmic time. */
export class Smallest {
  readonly #heap: number[] = [];

  add(number: number): void {
    let at = this.#heap.push(number) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#at(parent) <= number) break;
      this.#heap[at] = this.#at(parent);
      at = parent;
    }
    this.#heap[at] = number;
  }

  /** Removes and returns the smallest number; undefined if the heap is empty. */
  take(): number | undefined {
    const smallest = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last);
    return smallest;
  }

  #sink(number: number): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = 2 * at + 2;
      const child = this.#at(right) < this.#at(left) ? right : left;
      if (this.#at(child) >= number) break;
      this.#heap[at] = this.#at(child);
      at = child;
    }
    this.#heap[at] = number;
  }

  #at(position: number): number {
    return this.#heap[position] ?? Number.POSITIVE_INFINITY;
  }
}
