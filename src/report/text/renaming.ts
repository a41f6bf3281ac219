// Writes another word for a name in texts about objects: `group["hamburg staff"]` becomes `group["‹network› staff"]`.

/** Rewrites a text. */
export type Rename = (text: string) => string;

/** Writes another text for a word in a name, but not for the type of an object before its name. */
export function renaming(word: string, other: string): Rename {
  return text => {
    if (!text.includes(word)) return text;
    const [type = ''] = /^[a-z_]+(?=\/|\[|\.[^. ]+$)/.exec(text) ?? [];
    const parts = [type];
    let done = type.length;
    for (let at = text.indexOf(word, done); at >= 0; at = text.indexOf(word, at + word.length)) {
      const end = at + word.length;
      if (isInWord(text, at) || isInWord(text, end)) continue;
      parts.push(text.slice(done, at), other);
      done = end;
    }
    return parts.join('') + text.slice(done);
  };
}

const LETTER = /[\p{L}\p{N}]/u;

/** Whether the characters on both sides of a place belong to one word. */
const isInWord = (text: string, at: number): boolean =>
  LETTER.test(text.charAt(at - 1)) && LETTER.test(text.charAt(at));
