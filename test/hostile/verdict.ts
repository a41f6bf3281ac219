// What is wrong with an output, byte by byte, and the structure of a document that no name may change.
import { FORBIDDEN, WORKFLOW_COMMAND } from '../support/hostile.ts';
import { elementsIn, type Found } from '../support/page/html.ts';

/** The sequences that are our own: colours, and the line that is taken away again. */
const ESCAPE = '\u001b';
const OWN = new RegExp(`${ESCAPE}\\[(?:1|2|22|3[1239])m|\\r${ESCAPE}\\[2K`, 'g');

/** The emoji of our Markdown that have a colour by a selector. */
const EMOJI = /(?<=[✏♻🗑⚠])\ufe0f/gu;

/** Why an output is no good; empty where it is. */
export function faultsOf(output: string, isTerminal = false): readonly string[] {
  const text = (isTerminal ? output.replaceAll(OWN, '') : output).replaceAll(EMOJI, '');
  return text.split('\n').flatMap(line => {
    const [hidden] = FORBIDDEN.exec(line) ?? [];
    if (hidden !== undefined)
      return [`U+${hidden.codePointAt(0)?.toString(16)} in ${JSON.stringify(line)}`];
    return WORKFLOW_COMMAND.test(line) ? [`a command: ${line}`] : [];
  });
}

/** The lines of a Markdown document outside of its code, each without what stands in code; sorted, as names change order. */
export function markdownSkeleton(markdown: string): readonly string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const [run] = /^`{3,}/.exec(line) ?? [];
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
    } else if (run !== undefined) {
      fence = run;
      lines.push('fence');
    } else
      lines.push(
        line
          .replaceAll(/`[^`]+`|<code>[^<]*<\/code>/g, 'code')
          // A sentence of nothing but words and their punctuation is no code.
          .replace(/(?<=until \S+ )(?:[\p{L}\p{N} ,;'()/+%-]|\.(?= )|&(?= ))+(?= \|$)/u, 'code'),
      );
  }
  // The digest is of the names too.
  const undigested = lines.map(line => line.replace(/(?<="digest":"sha256:)[\da-f]{64}/, '…'));
  return [...undigested, fence === undefined ? 'closed' : 'open'].sort();
}

/** The lines of a plan or a drift as text that carry its structure: titles, headings of changes, and the last line. */
export function textSkeleton(text: string): readonly string[] {
  return (
    text
      .split('\n')
      .filter(line => /^\S/.test(line) || /^ {2}# /.test(line))
      .map(line => line.replace(/^ {2}# \S+?[.[].*(?= (?:will|must|has|is) )/, '  # change'))
      // It is of the names too.
      .map(line => line.replace(/^(Digest: sha256:)[\da-f]{64}$/, '$1…'))
      .sort()
  );
}

/** The elements of an XML document in their order, without what is in them; null where it is not well-formed. */
export function xmlSkeleton(xml: string): readonly string[] | null {
  const open: string[] = [];
  const elements: string[] = [];
  const rest = xml
    .replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
    .replaceAll(
      /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g,
      (_, end, name, attributes, alone) => {
        if (end === '/') elements.push(open.pop() === name ? `/${name}` : 'another end');
        else {
          if (alone === '') open.push(name);
          elements.push(`${name}${attributes.replaceAll(/"[^"]*"/g, '')}${alone}`);
        }
        return '';
      },
    );
  const isText = !rest.includes('<') && !/&(?!(?:amp|lt|gt|quot);)/.test(xml);
  return isText && open.length === 0 ? elements.sort() : null;
}

/**
 * The elements of a page, sorted, as names change order; scripts and styles with their text, but for the data. A long name takes
 * more lines of text in a drawing than a short one, and drawings that are collapsed by the first words of names have as many boxes and lines
 * as there are such words: of what is drawn, each form is listed once. A long name may break after each of its marks: how many places
 * for a break it has, shows nothing.
 */
export function htmlSkeleton(html: string): readonly string[] {
  const elements = elementsIn(html.replace('<!-- meshform graph -->', ''));
  const [drawn = [], others = []] = [true, false].map(isDrawn =>
    elements.filter(({ tag }) => DRAWN.has(tag) === isDrawn).map(formOf),
  );
  return [...new Set(drawn), ...others.filter(form => form !== BREAK)].sort();
}

const BREAK = 'wbr ';
const DRAWN: ReadonlySet<string> = new Set(['g', 'path', 'rect', 'text', 'title', 'tspan']);

function formOf({ tag, attributes, text }: Found): string {
  const isCode = (tag === 'script' && attributes.id !== 'data') || tag === 'style';
  return `${tag} ${Object.keys(attributes).sort().join(' ')}${isCode ? ` ${text}` : ''}`;
}

/** The lines of a graph without their labels and the ids of nodes, sorted. */
export function graphSkeleton(graph: string): readonly string[] {
  return graph
    .split('\n')
    .map(line => line.replace(/"(?:[^"\\]|\\.)*"/g, 'label').replaceAll(/\bn\d+\b/g, 'n'))
    .sort();
}
