// The ends of lines: each line of an edited file keeps its own.
import { diffArrays } from 'diff';

const CRLF = '\r\n';

/**
 * An edited text, whose lines end with `\n`, with the line ends of its source: lines of the source keep their own, and new lines
 * end as most lines of the source do.
 */
export function withLineEnds(source: string, text: string): string {
  const own = source.split('\n');
  const long = own.filter(line => line.endsWith('\r')).length;
  if (long === 0) return text;
  const usual = long * 2 > own.length - 1 ? CRLF : '\n';
  if (long === own.length - 1 && !own.at(-1)?.endsWith('\r')) return text.replaceAll('\n', CRLF);
  const bare = own.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const ends: string[] = [];
  let at = 0;
  for (const { value, added, removed } of diffArrays(bare, text.split('\n'))) {
    if (added) for (const _ of value) ends.push(usual);
    else {
      if (!removed)
        for (const [nth] of value.entries()) ends.push(own[at + nth]?.endsWith('\r') ? CRLF : '\n');
      at += value.length;
    }
  }
  const lines = text.split('\n');
  return lines.map((line, nth) => (nth < lines.length - 1 ? line + ends[nth] : line)).join('');
}
