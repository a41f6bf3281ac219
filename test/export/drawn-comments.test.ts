// Comments at drawn depths around the items of drawn lists: an item takes its own comments with it, and no others.
import { expect, test } from 'vitest';
import { isMap, isSeq, visit, type YAMLMap } from 'yaml';
import { setField } from '../../src/export/yaml/edit.ts';
import { type EditedFile, edited } from '../../src/export/yaml/textEdit.ts';
import type { Shape } from '../../src/kinds/kind.ts';
import { fc } from '../support/seeded.ts';

/** A line, and the items that take it with them. */
interface Line {
  readonly text: string;
  readonly owners: readonly Item[];
}

interface Item {
  readonly name: string;
  readonly isMap: boolean;
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly list: Item[];
}

/** Draws a number from 0 to `max`. */
type Draw = (max: number) => number;

/** Draws a file line by line. */
class Drawing {
  readonly lines: Line[] = [];
  readonly items: Item[] = [];
  readonly #draw: Draw;

  constructor(draw: Draw) {
    this.#draw = draw;
    this.#comments(this.#draw(1), () => this.#draw(3), []);
    this.#add(0, 'top:', []);
    const column = this.#draw(2) * 2;
    this.#list(column, [], 0);
    this.#comments(this.#draw(2), at => (at === 0 ? this.#draw(column) : this.#draw(9)), []);
    this.#add(0, 'other: 1', []);
  }

  #add(depth: number, text: string, owners: readonly Item[]): void {
    this.lines.push({ text: ' '.repeat(depth) + text, owners });
  }

  // Each comment is another one. Some lines after it are empty.
  #comments(count: number, depthOf: (at: number) => number, owners: readonly Item[]): void {
    for (let at = 0; at < count; at++)
      this.#add(depthOf(at), `# comment ${this.lines.length}`, owners);
  }

  #list(column: number, owners: readonly Item[], level: number): void {
    const list: Item[] = [];
    const areMaps = this.#draw(2) > 0;
    for (let left = 2 + this.#draw(1); left > 0; left--) {
      const item = this.#item({ column, areMaps, list }, owners);
      const own = owners.concat(item);
      if (item.isMap) this.#fields(column, own, level);
      else this.#comments(this.#draw(2), () => column + 1 + this.#draw(3), own);
    }
  }

  #item(
    { column, areMaps, list }: { column: number; areMaps: boolean; list: Item[] },
    owners: readonly Item[],
  ): Item {
    // After an item, the first comment that is not deeper than its dash is about what follows.
    const isFirst = list.length === 0;
    const start = this.lines.length;
    const isOpen = (): boolean => isFirst || this.lines.length > start;
    if (this.#draw(3) === 0) {
      this.#comments(1 + this.#draw(1), at => this.#draw(at === 0 ? column : 9), owners);
      this.#add(0, '', owners);
    }
    if (column > 0 && this.#draw(3) === 0) this.#comments(1, () => this.#draw(column - 1), owners);
    if (this.#draw(5) === 0) this.#add(column, '# ---- heading ----', owners);
    const own = Array.from({ length: this.#draw(2) }, (_, at) =>
      isOpen() || at > 0 ? column + this.#draw(3) : column,
    );
    const name = `n${this.items.length}`;
    const line = this.lines.length + own.length + 1;
    const item = { name, isMap: areMaps, line, column: column + 3, list };
    const mine = owners.concat(item);
    this.#comments(own.length, at => own[at] ?? 0, mine);
    const tail = this.#draw(2) === 0 ? ' # beside' : '';
    this.#add(column, `- ${areMaps ? 'name: ' : ''}${name}${tail}`, mine);
    list.push(item);
    this.items.push(item);
    return item;
  }

  // A mapping, with the comments after it.
  #fields(column: number, own: readonly Item[], level: number): void {
    const depth = column + 2;
    if (this.#draw(1) === 0) {
      this.#comments(this.#draw(1), () => this.#draw(9), own);
      this.#add(depth, 'tags: [a, b]', own);
    }
    let most = 9;
    if (level < 2 && this.#draw(2) === 0) {
      const inner = depth + this.#draw(1) * 2;
      this.#add(depth, 'inner:', own);
      this.#list(inner, own, level + 1);
      most = inner;
    } else if (this.#draw(3) === 0) {
      this.#add(depth, 'text: |', own);
      this.#add(depth + 4, '# no comment', own);
      most = depth + 3;
    }
    if (this.#draw(2) === 0) {
      this.#comments(this.#draw(2), at => this.#draw(at === 0 ? most : 9), own);
      this.#add(depth, 'last: 1', own);
      most = 9;
    }
    const deeper = (at: number) =>
      column + 1 + this.#draw(Math.max(Math.min(3, (at === 0 ? most : 9) - column - 1), 0));
    this.#comments(this.#draw(2), deeper, own);
  }
}

const NAMES: Shape = {
  type: 'list',
  items: { type: 'scalar', json: 'string', secret: false, masked: false },
  set: false,
};

// Lists of names are edited as a value, items that are mappings by their position.
function remove(file: EditedFile, gone: readonly Item[]): void {
  for (const { isMap: isRemoved, line, column } of gone)
    if (isRemoved) expect(file.remove({ file: 'n.yaml', line, column })).toBe('removed');
  const names = new Set(gone.map(({ name }) => name));
  const fields: [YAMLMap, string, string[]][] = [];
  for (const document of file.documents)
    visit(document, {
      Map: (_, map) => {
        for (const { key, value } of map.items)
          if (isSeq(value) && !value.flow && !value.items.some(isMap))
            fields.push([map, String(key), value.toJSON() as string[]]);
      },
    });
  for (const [map, name, values] of fields) {
    const left = values.filter(value => !names.has(value));
    if (left.length < values.length) setField(map, { name, order: [], shape: NAMES }, left);
  }
}

// At least one item of each list stays.
function drawnItems(items: readonly Item[], draw: Draw): readonly Item[] {
  const gone = new Set<Item>();
  for (const item of items)
    if (draw(2) === 0 && item.list.some(one => one !== item && !gone.has(one))) gone.add(item);
  return [...gone];
}

test('a removed item takes its own comments with it, and all other lines stay as they are', () => {
  fc.assert(
    fc.property(fc.gen(), gen => {
      const draw: Draw = max => gen(fc.nat, { max });
      const { lines, items } = new Drawing(draw);
      const text = `${lines.map(line => line.text).join('\n')}\n`;
      const gone = new Set(drawnItems(items, draw));
      const file = edited(text);
      // An item within a removed one goes with it.
      const within = (item: Item) =>
        lines[item.line - 1]?.owners.some(one => one !== item && gone.has(one)) === true;
      remove(
        file,
        [...gone].filter(item => !within(item)),
      );
      const expected = lines.filter(({ owners }) => !owners.some(one => gone.has(one)));
      const written = (some: readonly string[]) => some.filter(line => line !== '');
      const after = file.text();
      expect(written(after.split('\n'))).toEqual(written(expected.map(line => line.text)));
      expect(after).not.toContain('\n\n\n');
    }),
    { numRuns: 40 },
  );
});
