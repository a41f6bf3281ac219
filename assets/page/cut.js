// Cuts names that are too long for their space, so that the part in which they differ stays visible.

/**
 * A text with its middle left out.
 * @param {string} text
 * @param {number} most characters
 */
export function cutInMiddle(text, most) {
  const all = Array.from(text);
  if (all.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${all.slice(0, head).join('')}…${all.slice(all.length - (most - 1 - head)).join('')}`;
}

/**
 * A list of names as its first name and the number of the others; undefined for a text that is not a list.
 * @param {string} text
 * @returns {string | undefined}
 */
function firstOfList(text) {
  const [, names = text, more = '0'] = /^(.*) and (\d+) more$/s.exec(text) ?? [];
  // A name with a comma is in quotes.
  const [first = '', ...others] = names.split(/, (?=(?:[^"]*"[^"]*")*[^"]*$)/);
  return others.length === 0 ? undefined : `${first} and ${others.length + Number(more)} more`;
}

/**
 * Each text in a form that fits: whole, or as the first name and the number of the others if it is a list, or cut in its middle.
 * If two texts would then be equal, the part in which they differ is shown.
 * @param {readonly string[]} texts
 * @param {(text: string) => boolean} isFitting
 * @returns {Map<string, string>}
 */
export function cutApart(texts, isFitting) {
  const fitted = (/** @type {string} */ text) => {
    const list = isFitting(text) ? undefined : firstOfList(text);
    return list !== undefined && isFitting(list) ? list : shortest(text, isFitting, cutInMiddle);
  };
  const cut = new Map(texts.map(text => [text, fitted(text)]));
  const same = Map.groupBy(cut.keys(), text => cut.get(text));
  for (const alike of same.values()) {
    if (alike.length < 2) continue;
    const from = sharedBegin(alike);
    for (const text of alike)
      cut.set(
        text,
        shortest(text, isFitting, (all, most) => cutAround(all, from, most)),
      );
  }
  return cut;
}

/** @type {(text: string, isFitting: (text: string) => boolean, cut: (text: string, most: number) => string) => string} */
function shortest(text, isFitting, cut) {
  if (isFitting(text)) return text;
  let least = 3;
  let most = Array.from(text).length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (isFitting(cut(text, middle))) least = middle;
    else most = middle - 1;
  }
  return cut(text, least);
}

/** The beginning of a text, and the text from a position on. @type {(text: string, from: number, most: number) => string} */
function cutAround(text, from, most) {
  const all = Array.from(text);
  const head = Math.max(1, Math.min(from, Math.floor(most / 3)));
  const rest = all.slice(Math.max(head, from - 2));
  const shown = rest.slice(0, Math.max(1, most - head - 2));
  const isCut = shown.length < rest.length;
  return `${all.slice(0, head).join('')}…${shown.join('')}${isCut ? '…' : ''}`;
}

/** The number of characters with which all texts begin alike. @type {(texts: readonly string[]) => number} */
function sharedBegin([first = '', ...others]) {
  const all = Array.from(first);
  const rest = others.map(other => Array.from(other));
  const differs = all.findIndex((character, at) => rest.some(other => other[at] !== character));
  return differs < 0 ? all.length : differs;
}
