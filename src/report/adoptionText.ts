// How the objects in files match the objects of an account, for users who are about to manage an existing account with files.
import type { KindTable } from '../kinds/kind.ts';
import type { Adoption, Candidate, Doubt, Match } from '../model/adoption.ts';
import { placeText } from '../model/diagnostic.ts';
import { largest } from '../model/text/longLists.ts';
import { jsonString, nameText, visible } from '../model/text/visible.ts';
import type { JsonObject } from '../model/value.ts';
import { wrap } from './text/lines.ts';
import type { Style } from './text/style.ts';
import { innerShape, valueText, withoutSecrets } from './text/values.ts';
import { padded, textWidth } from './text/width.ts';

/** The report as text; it ends with a summary line. */
export function adoptionText(adoption: Adoption, kinds: KindTable, style: Style): string {
  const { matches, doubts, fresh } = adoption;
  const parts = [
    matchesPart(matches, style),
    ...(['ambiguous', 'similar'] as const).map(reason => doubtsPart(reason, doubts, kinds, style)),
    freshPart(fresh, style),
  ].filter(part => part !== '');
  const differing = matches.filter(({ differs }) => differs.length > 0).length;
  const count = (reason: Doubt['reason']) => doubts.filter(doubt => doubt.reason === reason).length;
  const verdict = `${matches.length} matched, ${differing} of them differ; ${count('ambiguous')} ambiguous, ${count('similar')} similar, ${fresh.length} new.`;
  return [...parts, `${style.strong(verdict)}\n`].join('\n\n');
}

/** The report as a document. Secrets in it are null. */
export function adoptionDocument({ matches, doubts, fresh }: Adoption, kinds: KindTable): object {
  return {
    format_version: '1.0',
    matches,
    doubts: doubts.map(doubt => ({
      ...doubt,
      candidates: doubt.candidates.map(candidate => ({
        ...candidate,
        tells: withoutSecrets(kinds.get(doubt.kind)?.shape, candidate.tells) as JsonObject,
        write: { lifecycle: { id: candidate.id } },
      })),
    })),
    fresh,
  };
}

function matchesPart(matches: readonly Match[], style: Style): string {
  if (matches.length === 0) return '';
  const basis = largest(
    0,
    matches.map(({ by }) => by.length),
  );
  const width = Math.min(
    48,
    largest(
      0,
      matches.map(({ address }) => textWidth(address)),
    ),
  );
  const lines = matches.flatMap(({ by, address, differs }) => {
    const what =
      differs.length === 0 ? 'as declared' : `differs in ${differs.map(nameText).join(', ')}`;
    return wrap(`  ${by.padEnd(basis)}  ${padded(address, width)}  ${what}`, style.width);
  });
  return [style.strong('Already in the account, matched by'), '', ...lines].join('\n');
}

const TITLES: Readonly<Record<Doubt['reason'], string>> = {
  ambiguous: 'Ambiguous: several objects have that name, so none is adopted',
  similar: 'Similar: a new object will be created, unless you bind the existing object',
};

function doubtsPart(
  reason: Doubt['reason'],
  doubts: readonly Doubt[],
  kinds: KindTable,
  style: Style,
): string {
  const own = doubts.filter(doubt => doubt.reason === reason);
  if (own.length === 0) return '';
  const blocks = own.map(doubt => doubtLines(doubt, kinds, style).join('\n'));
  return [style.strong(TITLES[reason]), ...blocks].join('\n\n');
}

function doubtLines({ address, kind, at, candidates }: Doubt, kinds: KindTable, style: Style) {
  const shape = kinds.get(kind)?.shape;
  const telling = ({ tells }: Candidate): string => {
    const parts = Object.entries(tells).map(
      ([name, value]) => `${nameText(name)}: ${valueText(innerShape(shape, name), value)}`,
    );
    return parts.length === 0 ? 'only its id identifies it' : parts.join(', ');
  };
  return [
    `  ${style.strong(visible(address))}  ${style.faint(placeText(at))}`,
    ...candidates.flatMap(candidate => [
      ...wrap(`    ${jsonString(candidate.name)}  ${telling(candidate)}`, style.width),
      `      lifecycle: { id: ${jsonString(String(candidate.id))} }`,
    ]),
  ];
}

function freshPart(fresh: Adoption['fresh'], style: Style): string {
  if (fresh.length === 0) return '';
  const names = fresh.map(({ address }) => address).join(', ');
  return [style.strong('Not in the account'), '', ...wrap(`  ${names}`, style.width)].join('\n');
}
