// A rollout as a page: accounts by wave and state. It runs no script: the browser's search finds an account.
import { element } from '../graph/markup.ts';
import type { PageAssets } from '../page/document.ts';
import { shellText } from '../page/shell.ts';
import { table } from '../page/table.ts';
import { counted } from '../text/summary.ts';
import type { RolloutStatus } from './status.ts';

/** The page as a file. */
export function statusPage(
  { ledger, next }: RolloutStatus,
  { style }: Pick<PageAssets, 'style'>,
): string {
  const { rollout, started_at: since, accounts } = ledger;
  const waves = [...Map.groupBy(accounts, ({ wave }) => wave)].toSorted(([a], [b]) => a - b);
  const sections = waves.map(([wave, members]) => ({
    id: `wave-${wave}`,
    title: `Wave ${wave}`,
    content: table(
      counted(members.length, 'account'),
      ['Account', 'State', 'Since', 'Why'],
      members.map(one => ({
        cells: [
          one.name,
          one.accepted ? `${one.state}, accepted` : one.state,
          one.outcome?.at ?? one.applied_at ?? one.begun_at ?? '',
          one.outcome?.why ?? '',
        ],
      })),
    ),
  }));
  const about = `${rollout}, since ${since}: ${counted(accounts.length, 'account')}. ${next}`;
  return shellText({
    title: 'Rollout',
    header: element('p', {}, about),
    sections,
    style,
  });
}
