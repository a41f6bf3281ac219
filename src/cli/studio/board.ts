// The current content of a studio's page. Each open page is notified of changes.
import isEqual from 'fast-deep-equal';
import type { StudioViews } from '../../report/studio/views.ts';

/** The selectors that the two fields of a question offer. */
export interface OfferedNames {
  readonly sources: readonly string[];
  readonly targets: readonly string[];
}

/** The changes for a page. `parts`: markup, by the id of its place in the page. */
export interface Update {
  readonly parts?: Readonly<Record<string, string>>;
  readonly names?: OfferedNames;
  readonly views?: StudioViews;
}

/** The content of all open pages. */
export class Board {
  readonly #parts = new Map<string, string>();
  readonly #readers = new Set<(update: Update) => void>();
  #names: OfferedNames | undefined;
  #views: StudioViews | undefined;

  /** Shows parts. Sends the parts that differ to every page. */
  show({ parts = {}, names, views }: Update): void {
    const changed = Object.entries(parts).filter(([id, text]) => this.#parts.get(id) !== text);
    for (const [id, text] of changed) this.#parts.set(id, text);
    this.#names = names ?? this.#names;
    const isOther = views !== undefined && !isEqual(views, this.#views);
    if (isOther) this.#views = views;
    if (changed.length === 0 && names === undefined && !isOther) return;
    const update = {
      parts: Object.fromEntries(changed),
      ...(names && { names }),
      ...(isOther && { views }),
    };
    for (const reader of this.#readers) reader(update);
  }

  /** Calls `reader` with the whole content, and then with every change, until the returned function is called. */
  follow(reader: (update: Update) => void): () => void {
    reader({
      parts: Object.fromEntries(this.#parts),
      ...(this.#names && { names: this.#names }),
      ...(this.#views && { views: this.#views }),
    });
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }
}
