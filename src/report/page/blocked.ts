// The section of a page about blocked access, grouped by cause: a rule contains the pair of source and destination, but the
// source has no access.
import type {
  AccessMatrix,
  AccessPicture,
  MatrixVerdict,
} from '../../model/access/accessPicture.ts';
import { jsonString } from '../../model/text/visible.ts';
import { detourTexts, grantText } from '../access/accessWords.ts';
import { element } from '../graph/markup.ts';
import { counted } from '../text/summary.ts';
import type { Section } from './section.ts';
import { shortened, table, whole } from './table.ts';

/** The section about blocked access. */
export function blockedSection({ matrix }: AccessPicture): Section {
  const found = blockedPairs(matrix);
  const rows = found.map(({ verdict, from, to }) => ({
    cells: [whole(codeOf(verdict)), reasonOf(verdict), shortened(from), shortened(to)],
  }));
  const more =
    matrix.unexplained > 0 &&
    element(
      'p',
      { class: 'warning' },
      `${counted(matrix.unexplained, 'more pair')} without access are not explained here.`,
    );
  const nothing = element('p', {}, 'Every rule and route grants all the access that it describes.');
  return {
    id: 'blocked',
    title: 'What is blocked',
    label: 'Blocked',
    content: [
      element('p', {}, INTRODUCTION),
      rows.length === 0 ? nothing : table(CAPTION, ['Code', 'Why', 'From', 'To'], rows),
      more,
    ],
  };
}

const INTRODUCTION =
  'Sources and destinations of an accept rule or a route that have no access between them. ' +
  'Pairs that no rule covers have no access either, but are not listed; a disabled rule from everyone to everyone is not listed either.';

const CAPTION = 'What is blocked and why';

type BlockedVerdict = Exclude<MatrixVerdict, { readonly status: 'around' }>;

interface BlockedPairs {
  readonly verdict: BlockedVerdict;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

function blockedPairs({ rows, columns, verdicts, cells }: AccessMatrix): readonly BlockedPairs[] {
  const sides = new Map<number, { from: Set<string>; to: Set<string> }>();
  for (const [at, runs] of cells.entries())
    for (let i = 0; i < runs.length; i += 3) {
      const [first = 0, number = 0, length = 0] = runs.slice(i, i + 3);
      const status = verdicts[number]?.status;
      if (status !== 'blocked' && status !== 'fail') continue;
      const known = sides.get(number) ?? { from: new Set(), to: new Set() };
      sides.set(number, known);
      known.from.add(rows[at]?.name ?? '');
      for (const { name, address } of columns.slice(first, first + length))
        known.to.add(address === undefined ? name : `${name} ${address}`);
    }
  return [...sides].flatMap(([number, { from, to }]) => {
    const verdict = verdicts[number];
    return verdict && verdict.status !== 'around'
      ? [{ verdict, from: [...from], to: [...to] }]
      : [];
  });
}

const codeOf = (verdict: BlockedVerdict): string =>
  verdict.status === 'blocked' ? verdict.code : 'POSTURE';

function reasonOf(verdict: BlockedVerdict): string {
  const { ways = [] } = verdict.around ?? {};
  const others = ways.map(({ to, ports }) => `; still reached by ${to} (${ports.join(' ')})`);
  return `${ownReasonOf(verdict)}${others.join('')}`;
}

function ownReasonOf(verdict: BlockedVerdict): string {
  if (verdict.status !== 'blocked') {
    const grants = [...verdict.via.map(grantText), ...detourTexts(verdict)].join('; ');
    return `the sources fail ${verdict.checks.map(jsonString).join(', ')}: ${grants}`;
  }
  const { message, also } = verdict;
  return also.length === 0 ? message : `${message}; also missing: ${also.join(', ')}`;
}
