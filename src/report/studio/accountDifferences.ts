// The differences between the account and the files on the page of a studio, with who changed the account and when.

import type { ShownChange } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { placeText } from '../../model/diagnostic.ts';
import { attributionText } from '../drift/attribution.ts';
import { type DriftReport, driftLine, inReadingOrder, whatOf } from '../drift/drift.ts';
import { seenFromAccount } from '../drift/driftText.ts';
import { type Content, element } from '../graph/markup.ts';
import { inCode } from '../page/code.ts';
import { table, whole } from '../page/table.ts';
import { counted } from '../text/summary.ts';
import { fieldTexts } from '../view/changeLines.ts';
import { moment } from './changingParts.ts';
import { findingsContent } from './fileFindings.ts';

/** The state of the account, as far as it was read. */
export type AccountSeen =
  | { readonly is: 'reading' }
  | {
      readonly is: 'failed';
      readonly at: number;
      readonly message: string;
      readonly hint: string | null;
    }
  | {
      readonly is: 'read';
      readonly at: number;
      readonly server: string;
      readonly report: DriftReport;
      readonly findings: readonly Diagnostic[];
    };

/** The age of the comparison. */
export interface AccountAge {
  /** Whether the files have changed since the account was compared with them. */
  readonly isOlder: boolean;
  /** Whether the account is being read again. */
  readonly isReading: boolean;
}

/** The account. */
export function accountContent(seen: AccountSeen, { isOlder, isReading }: AccountAge): Content {
  const again = isReading && seen.is !== 'reading' && element('p', {}, 'Reading it again.');
  return [again, seenContent(seen, isOlder)];
}

function seenContent(seen: AccountSeen, isOlder: boolean): Content {
  switch (seen.is) {
    case 'reading':
      return element('p', {}, 'Reading the account.');
    case 'failed':
      return [
        element(
          'p',
          { class: 'warning' },
          element('strong', {}, 'The account cannot be read: '),
          seen.message,
        ),
        seen.hint !== null && element('p', { class: 'hint' }, `hint: ${seen.hint}`),
        element('p', {}, 'Tried at ', moment(seen.at), '.'),
      ];
    case 'read':
      return [
        element('p', {}, `${seen.server}, read at `, moment(seen.at), '.'),
        isOlder && element('p', { class: 'warning' }, OLDER),
        driftContent(seen.report),
        seen.findings.length > 0 && findingsContent(seen.findings, 'Findings about the account'),
      ];
  }
}

const OLDER = 'The files have changed since. Read the account again to compare it with them.';

function driftContent(report: DriftReport): Content {
  const { open, acknowledged, plan } = report;
  const drifted = new Set(
    [...open, ...acknowledged.map(({ change }) => change)].map(({ address }) => address),
  );
  const pending = plan.changes.filter(({ address }) => !drifted.has(address));
  const about = `${driftLine(report)} ${counted(pending.length, 'other object')} of the files ${pending.length === 1 ? 'is' : 'are'} not applied yet.`;
  const rows = [
    ...inReadingOrder(open).map(change => rowOf(change, 'drift', report)),
    ...acknowledged.map(({ change }) => rowOf(change, 'acknowledged', report)),
    ...pending.map(change => ({
      cells: [whole('not applied'), objectOf(change), WORDS[change.type], ''],
      look: 'pending',
    })),
  ];
  const heads = ['State', 'Object', 'What', 'By whom and when'];
  return [
    element('p', {}, element('strong', {}, about)),
    rows.length > 0 && table('The account beside the files', heads, rows),
  ];
}

const WORDS: Readonly<Record<ShownChange['type'], string>> = {
  create: 'will be created',
  update: 'will be updated',
  replace: 'will be replaced',
  delete: 'will be deleted',
};

function rowOf(change: ShownChange, state: string, report: DriftReport) {
  const { kinds, attributions } = report;
  const kind = kinds.get(change.kind);
  const found = attributions?.get(change);
  const fields =
    kind !== undefined && change.type === 'update' ? fieldTexts(kind, seenFromAccount(change)) : [];
  return {
    cells: [
      whole(state),
      objectOf(change),
      [whatOf(change, report), fields.map(text => element('div', {}, inCode(text)))],
      found === undefined ? '' : attributionText(found),
    ],
    look: state,
  };
}

const objectOf = ({ address, at }: ShownChange): Content => [
  inCode(address),
  at && element('p', { class: 'hint' }, inCode(placeText(at))),
];
