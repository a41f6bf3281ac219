// One change of access has one word, one sign and one colour, in the list of changes, on the map and in the matrix.
import { expect, test } from 'vitest';
import { cellText, lookOf, matrixOf } from '../../assets/page/matrix.js';
import { pageAssets } from '../../src/cli/access/pageOutput.ts';
import type { MatrixVerdict } from '../../src/model/access/accessPicture.ts';
import { pairChange } from '../../src/model/access/pairChange.ts';
import { CHANGE_STYLE, CHANGE_WORDS } from '../../src/report/graph/changeWords.ts';
import { element } from '../../src/report/graph/markup.ts';
import { LINE_KINDS } from '../../src/report/graph/portKinds.ts';
import { NO_SIGNS } from '../../src/report/graph/signs.ts';
import { SVG_STYLE } from '../../src/report/graph/svgStyle.ts';
import { changeLegend } from '../../src/report/page/changeSentence.ts';
import { mapLegend } from '../../src/report/page/mapLegend.ts';
import { matrixSection } from '../../src/report/page/matrix.ts';

type Status = 'reaches' | 'pass' | 'unknown';

const verdict = (ports: readonly string[], status: Status): MatrixVerdict => ({
  status,
  ports,
  via: [],
  via_ids: [],
  checks: [],
});

/** The verdict of a cell in the difference of a matrix with one cell. */
function differenceOf(before: readonly string[], after: readonly string[], statuses: Status[]) {
  const side = { name: 'a', label: 'a', members: [], groups: [] };
  const verdicts = [before, after].map((ports, at) => ({
    status: statuses[at] ?? 'reaches',
    label: ports.join(' '),
    ports: [...ports],
    because: [],
  }));
  const data = { members: [], rows: [side], columns: [side], verdicts };
  const cells = [before, after].map((ports, at) => [ports.length === 0 ? [] : [0, at, 1]]);
  const matrix = matrixOf({ ...data, before: cells[0] ?? [], cells: cells[1] ?? [] }, 'difference');
  return matrix.data.verdicts[matrix.at(0, 0)];
}

test.each<[string, string[], string[], Status[], string | undefined]>([
  ['new access', [], ['tcp/22'], [], 'gained'],
  ['another port', ['tcp/5432'], ['tcp/5432-5433'], [], 'gained'],
  ['every port', ['tcp/5432'], ['*'], [], 'gained'],
  ['every port of a protocol', ['tcp/5432', 'icmp'], ['icmp', 'tcp/*'], [], 'gained'],
  ['no access', ['tcp/22'], [], [], 'lost'],
  ['fewer ports', ['tcp/22', 'udp/53'], ['udp/53'], [], 'lost'],
  ['one port for another', ['tcp/22'], ['tcp/443'], [], 'changed'],
  ['another part of a range', ['tcp/80-90'], ['tcp/85-95'], [], 'changed'],
  ['other posture checks', ['tcp/22'], ['tcp/22'], ['reaches', 'pass'], 'changed'],
  ['more ports behind a check', ['tcp/22'], ['tcp/22-23'], ['reaches', 'pass'], 'changed'],
  ['the same', ['tcp/22'], ['tcp/22'], [], undefined],
])('%s is one change in every view', (_, before, after, statuses, word) => {
  const [was, is] = [before, after].map((ports, at) =>
    ports.length === 0 ? undefined : verdict(ports, statuses[at] ?? 'reaches'),
  );
  expect(pairChange(was, is)).toBe(word);
  const shown = differenceOf(before, after, statuses);
  expect(shown?.difference?.change).toBe(word);
  if (word === undefined || shown === undefined) return;
  expect(lookOf(shown)).toBe(word);
  const sign = CHANGE_WORDS.find(({ name }) => name === word)?.sign;
  expect(cellText(shown)).toMatch(new RegExp(`^\\${sign} ${word}: `));
});

test('the legends of the three views have the same words, signs and looks', () => {
  const matrix = { members: [], member_ids: [], rows: [], columns: [], verdicts: [], cells: [] };
  const whole = { matrix: { ...matrix, left_out: { rows: 0, columns: 0 }, unexplained: 0 } };
  const picture = { ...whole, policies: [], networks: [], openings: [], unread: [] };
  const legends = [
    changeLegend(),
    mapLegend(true, NO_SIGNS),
    matrixSection(picture, true).content,
  ].map(one => element('div', {}, one).markup);
  for (const { name, meaning } of CHANGE_WORDS)
    for (const markup of legends) {
      expect(markup).toContain(meaning);
      expect(markup).toMatch(new RegExp(`class="[^"]*\\b${name}\\b`));
    }
});

test('the legend of the difference explains the letters, which boxes have if the plan changes nothing that is drawn', () => {
  const { markup } = element('div', {}, mapLegend(true, NO_SIGNS));
  const [difference = ''] = markup.match(/<ul[^>]*in-difference[\s\S]*?<\/ul>/) ?? [];
  for (const { meaning } of LINE_KINDS) expect(difference).toContain(meaning);
});

test('each change has one colour in each theme, and nothing else has it', () => {
  const { style } = pageAssets();
  for (const { name, colour } of CHANGE_WORDS)
    for (const one of Object.values(colour)) {
      expect(style).not.toContain(one);
      expect(CHANGE_STYLE).toContain(`--${name}: ${one};`);
      expect(SVG_STYLE).toContain(`.drawing .${name} .way { stroke: ${one}; }`);
    }
  const uses = style.match(/[^{}]*\{[^{}]*var\(--(?:gained|lost|changed)\)[^{}]*\}/g) ?? [];
  expect(uses.length).toBeGreaterThan(8);
  const words = /gained|lost|changed|create|delete|update/;
  expect(uses.filter(rule => !words.test(rule.split('{')[0] ?? ''))).toEqual([]);
});
