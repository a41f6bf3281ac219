// A rollout as a page: accounts by wave and state, with a filter. Without its script, the page shows the same table.
import type { Ledger } from '../../model/rollout.ts';
import { element, type Markup } from '../graph/markup.ts';
import type { PageAssets } from '../page/document.ts';
import { shellText } from '../page/shell.ts';
import { table, whole } from '../page/table.ts';
import {
  accessText,
  driftText,
  isFaulty,
  NO_ROLLOUT,
  type RolloutStatus,
  STATES,
  sinceOf,
  stateText,
  statusLine,
} from './rolloutStatus.ts';

/** The page as a file. */
export function statusPage(status: RolloutStatus, { style, script }: PageAssets): string {
  const { ledger, next } = status;
  const { rollout, started_at: since } = ledger;
  const sections = [
    { id: 'waves', title: 'Waves', content: waveTable(ledger) },
    {
      id: 'accounts',
      title: 'Accounts',
      content: [
        filters(ledger),
        element('p', { id: 'matching', role: 'status' }),
        accountTable(status),
      ],
    },
  ];
  const about = `${rollout}, since ${since}. ${statusLine(status)}.`;
  return shellText({
    title: 'Rollout',
    header: [element('p', {}, about), element('p', {}, next)],
    sections,
    style,
    script: { text: script },
  });
}

/** The page while no rollout is open. */
export const noRolloutPage = ({ style, script }: PageAssets): string =>
  shellText({
    title: 'Rollout',
    header: [element('p', {}, NO_ROLLOUT)],
    sections: [],
    style,
    script: { text: script },
  });

function waveTable({ accounts }: Ledger): Markup {
  const waves = [...Map.groupBy(accounts, ({ wave }) => wave)].toSorted(([a], [b]) => a - b);
  const states = STATES.filter(state => accounts.some(one => one.state === state));
  const rows = waves.map(([wave, members]) => ({
    cells: [
      `Wave ${wave}`,
      String(members.length),
      ...states.map(state => String(members.filter(one => one.state === state).length)),
    ],
  }));
  return table('Accounts by wave and state', ['Wave', 'Accounts', ...states], rows);
}

function filters({ accounts }: Ledger): Markup {
  const option = (value: string, text: string): Markup => element('option', { value }, text);
  const choice = (id: string, label: string, values: readonly string[]): Markup =>
    element(
      'label',
      { for: id },
      element('span', {}, label),
      element(
        'select',
        { id },
        option('', 'any'),
        values.map(value => option(value, value)),
      ),
    );
  const waves = [...new Set(accounts.map(({ wave }) => wave))].sort((a, b) => a - b);
  const states = STATES.filter(state => accounts.some(one => one.state === state));
  return element(
    'div',
    { class: 'filters', role: 'search', 'aria-label': 'Filter of the accounts' },
    element(
      'label',
      { for: 'text' },
      element('span', {}, 'Text'),
      element('input', {
        id: 'text',
        type: 'search',
        placeholder: 'name, reason',
        autocomplete: 'off',
      }),
    ),
    choice('of-wave', 'Wave', waves.map(String)),
    choice('of-state', 'State', states),
  );
}

function accountTable({ ledger, drift, now }: RolloutStatus): Markup {
  const rows = ledger.accounts.map(one => ({
    look: isFaulty(one) ? 'blocked' : one.state === 'healthy' ? 'reaches' : undefined,
    cells: [
      one.name,
      String(one.wave),
      whole(stateText(one)),
      sinceOf(one),
      accessText(one),
      driftText(drift?.get(one.name), now),
      one.outcome?.why ?? '',
    ],
  }));
  const columns = ['Account', 'Wave', 'State', 'Since', 'Access of the plan', 'Drift', 'Why'];
  return table('Accounts of the rollout', columns, rows);
}
