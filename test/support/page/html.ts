// Reads the HTML of our pages, strictly: what is neither a tag of ours nor escaped text is an error.

export interface Found {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The text directly in it; of a script or style as it stands there. */
  readonly text: string;
}

const TOKEN =
  /<!doctype html>|<(script|style)((?: [\w-]+(?:="[^"<>]*")?)*)>([\s\S]*?)<\/\1>|<(\/?)([a-z][a-z0-9]*)((?: [\w:-]+(?:="[^"<>]*")?)*)>|([^<>]+)|([\s\S])/g;

const VOID = new Set(['meta', 'input', 'wbr']);

/** The elements of a document in their order. Throws where it is not well-formed. */
export function elementsIn(html: string): readonly Found[] {
  const found: { tag: string; attributes: Record<string, string>; text: string }[] = [];
  const open: (typeof found)[number][] = [];
  for (const [
    token,
    rawTag,
    rawAttributes = '',
    rawText,
    end,
    tag = '',
    attributes = '',
    text,
    wrong,
  ] of html.matchAll(TOKEN)) {
    if (wrong !== undefined) throw new Error(`not HTML of ours: ${JSON.stringify(token)}`);
    if (rawTag !== undefined)
      found.push({ tag: rawTag, attributes: attributesIn(rawAttributes), text: rawText ?? '' });
    else if (text !== undefined) {
      const last = open.at(-1);
      if (last) last.text += unescaped(text);
    } else if (end === '/') {
      const last = open.pop();
      if (last?.tag !== tag) throw new Error(`</${tag}> ends ${last?.tag}`);
    } else if (tag !== '') {
      const element = { tag, attributes: attributesIn(attributes), text: '' };
      found.push(element);
      if (!VOID.has(tag)) open.push(element);
    }
  }
  if (open.length > 0) throw new Error(`${open.map(one => one.tag).join()} not ended`);
  return found;
}

function attributesIn(text: string): Record<string, string> {
  const list = [...text.matchAll(/ ([\w:-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(list.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function unescaped(text: string): string {
  return text.replaceAll(/&([^;]*);?/g, (entity, name: string) => {
    const character = entity.endsWith(';') ? NAMED[name] : undefined;
    if (character === undefined) throw new Error(`not an entity of ours: ${entity}`);
    return character;
  });
}
