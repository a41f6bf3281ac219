// The titles of tests in a file, as pages name them.

/** A text that begins a call, in the form of the formatter: on the line of the call, or on the next one. */
const FIRST =
  /(?<before>[^\n(]*)\(\s*(?<quote>['"])(?<title>(?:\\.|(?!\k<quote>)[^\n\\])+)\k<quote>,/g;
/** A step of a part of the packaging tests. */
const STEP = /^ *(?<quote>['"])(?<title>[^\n'"]+)\k<quote>:\s+(?:async\b|\w+\($|\w+\('|\(\) =>)/gm;

/**
 * The titles of the tests, groups of tests and steps in the source of a file, in their order. A placeholder is `…`, and left out at
 * the end. Texts that begin other calls are among them; skipped tests and comments are not.
 */
export function titlesIn(source: string): readonly string[] {
  const text = source.replaceAll(/^ *\/\/.*$/gm, '');
  const found = [...text.matchAll(FIRST), ...text.matchAll(STEP)].toSorted(
    (one, other) => one.index - other.index,
  );
  return found
    .filter(({ groups }) => !/\.(?:skip|todo)\b/.test(groups?.before ?? ''))
    .map(({ groups }) =>
      (groups?.title ?? '')
        .replaceAll(/\\(.)/g, '$1')
        .replaceAll(/%[a-z]/g, '…')
        .replace(/[ ,:]*…$/, ''),
    );
}

/** Whether a file has a test with this title; `group > title` is a test in a group. */
export function hasTitle(source: string, title: string): boolean {
  const titles = titlesIn(source);
  const places = title.split(' > ').map(part => titles.indexOf(part));
  return places.every((place, i) => place > (places[i - 1] ?? -1));
}
