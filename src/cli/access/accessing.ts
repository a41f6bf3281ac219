// Runs `access`: reads the state to which the question applies, and answers in the requested
// format.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AccessQuestion, answerQuestion } from '../../access/ask/answer.ts';
import {
  type Selector,
  SOURCE_TYPES,
  selectorOf,
  sourceSelectorOf,
} from '../../access/ask/selector.ts';
import { selectorNames, sourceNames } from '../../access/ask/selectorNames.ts';
import { didYouMeanSelector } from '../../access/ask/suggestedNames.ts';
import { pictureOf } from '../../access/picture/picture.ts';
import { accessName } from '../../model/access/accessName.ts';
import type { AccessAnswer } from '../../model/access/planAccess.ts';
import { idLabeller, withIdLabels } from '../../model/idLabels.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { accessCsv } from '../../report/access/accessCsv.ts';
import { accessDocument } from '../../report/access/accessDocument.ts';
import { accessGraphml } from '../../report/access/accessGraphml.ts';
import { accessMarkdown } from '../../report/access/accessMarkdown.ts';
import { accessText } from '../../report/access/accessText.ts';
import type { Observed } from '../../usage/observed.ts';
import { rulesUsed, withUses } from '../../usage/used/rulesUsed.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { filesNamed } from '../flags/paths.ts';
import type { Io } from '../io.ts';
import { type Output, refuseForceAlone } from '../output.ts';
import { Stop } from '../stop.ts';
import { answerLines } from './accessLines.ts';
import { refuseOtherAccount } from './otherAccount.ts';
import { type PageFlags, pageOutput, writePage } from './pageOutput.ts';
import { type AnsweredState, judgedState, type StateFlags, savedText } from './questionState.ts';

export interface AccessFlags extends StateFlags, PageFlags {
  /** The traffic in a store, for a page. */
  readonly observed?: Observed | undefined;
  readonly why?: boolean;
  readonly format: 'text' | 'json' | 'markdown' | 'csv' | 'graphml' | 'ndjson';
}

/** Answers a question about access; returns the exit code. */
export async function showAccess(
  words: readonly string[],
  flags: AccessFlags,
  io: Io,
): Promise<number> {
  if (flags.format === 'ndjson') return everyReach(words, flags, io);
  refuseForceAlone({ out: flags.html, force: flags.force === true }, '--html');
  const page = await pageOutput(flags, io);
  const { question, paths } = questionIn(words, flags, io);
  const { path, ...layers } = filesNamed(paths);
  const judged = await judgedState(path, { ...flags, ...layers }, io);
  if (judged.account) refuseOtherAccount(flags.observed, judged.account);
  if (page) await writeAccessPage({ ...judged, observed: flags.observed }, question, page);
  if (flags.html === '-' || isWhole(question)) return EXIT.done;
  const isForPeople = flags.format === 'text' || flags.format === 'markdown';
  const answer = answerOrStop(judged, question, isForPeople);
  io.stdout.write(rendered(answer, flags, io));
  return EXIT.done;
}

/** The answer to a question. Throws a `Stop` for a selector that matches nothing. */
export function answerOrStop(
  judged: AnsweredState,
  question: AccessQuestion,
  isForPeople: boolean,
): AccessAnswer {
  const answer = answerQuestion(judged.state, question);
  if ('unknown' in answer) throw namesNothing(answer.unknown, question, judged);
  const labelled = isForPeople ? withIdLabels(judged.called ?? [])(answer) : answer;
  return { judged: judged.judged, ...labelled };
}

const isWhole = ({ from, to }: AccessQuestion): boolean => from === undefined && to === undefined;

// Writes the page. It shows only the part of the state to which the question applies.
async function writeAccessPage(
  judged: AnsweredState & { readonly observed?: Observed | undefined },
  { from, to }: AccessQuestion,
  output: Output,
): Promise<void> {
  const part = { ...(from && { from }), ...(to && { to }) };
  const picture = pictureOf(judged.state, part);
  if ('unknown' in picture) throw namesNothing(picture.unknown, part, judged);
  const asked = [from && `from ${from.text}`, to && `to ${to.text}`].filter(Boolean).join(' ');
  const about = `Evaluated: ${judged.judged}.${asked === '' ? '' : ` Only ${asked}.`}`;
  const { folders, observed, state } = judged;
  const used = withUses(picture, observed && rulesUsed(observed, state));
  const labelled = withIdLabels(judged.called ?? [])(used);
  const idleRules = judged.idleRules?.();
  const only = [from, to].flatMap(one => (one ? accessName(one.type, one.name) : []));
  await writePage({ title: 'Access', about, picture: labelled, only, folders, idleRules }, output);
}

const USAGE = 'access [from SELECTOR] [to SELECTOR[:tcp/443]] [--why] [PATH...]';

// The question in the words of a command: `from X`, `to Y` or both, followed by an optional path to
// the files or by the paths of layers.
function questionIn(
  words: readonly string[],
  { why, live, state, html }: AccessFlags,
  { cwd }: Io,
): { question: AccessQuestion; paths: readonly string[] } {
  const asked: { from?: Selector; to?: Selector } = {};
  const rest = [...words];
  for (let word = rest[0]; word === 'from' || word === 'to'; word = rest[0]) {
    const [, written] = rest.splice(0, 2);
    if (written === undefined)
      throw new Stop(EXIT.usage, `${quoted(word)} is not followed by a selector`, USAGE);
    if (asked[word] !== undefined)
      throw new Stop(EXIT.usage, `${quoted(word)} is used twice`, USAGE);
    asked[word] = selectorOrStop(word === 'from' ? sourceSelectorOf(written) : selectorOf(written));
  }
  const isOther = rest.length > 0 && (live || state !== undefined);
  const isNoPath = rest.length > 1 && rest.some(path => !existsSync(resolve(cwd, path)));
  // A word that names an existing file or folder is treated as a path.
  const [path = ''] = isOther ? rest : [];
  if (path !== '' && existsSync(resolve(cwd, path))) {
    const flag = live ? '--live' : '--state';
    const hint = `remove ${quoted(path)}, or ${flag}`;
    const message = `${quoted(path)} is not asked: the state comes from ${flag}`;
    throw new Stop(EXIT.usage, message, hint);
  }
  if (isOther || isNoPath)
    throw new Stop(EXIT.usage, `${quoted(rest[1] ?? rest[0] ?? '')} is not part of a query`, USAGE);
  if (asked.from === undefined && asked.to === undefined && (html === undefined || why))
    throw new Stop(EXIT.usage, 'the query has neither `from` nor `to`', USAGE);
  return { question: { ...asked, why: why === true }, paths: rest };
}

function selectorOrStop(selector: ReturnType<typeof selectorOf>): Selector {
  if ('fault' in selector) throw new Stop(EXIT.usage, selector.fault, USAGE);
  return selector;
}

function namesNothing(
  selector: Selector,
  { from }: Pick<AccessQuestion, 'from'>,
  { state, judged, called = [] }: AnsweredState,
): Stop {
  const { text, type, name } = selector;
  const namesakes = called.filter(one => one.kind === type && one.name === name);
  if (namesakes.length > 1) {
    const message = `${quoted(text)} is the name of ${namesakes.length} objects in ${judged}`;
    const ids = namesakes.map(({ id }) => `${type}/id:${id}`).sort();
    return new Stop(
      EXIT.invalid,
      message,
      idLabeller(called)(`name one by its id: ${ids.join(', ')}`),
    );
  }
  if (selector !== from) {
    const message = `${quoted(text)} matches no destination in ${judged}`;
    return new Stop(EXIT.invalid, message, didYouMeanSelector(text, selectorNames(state)) ?? USAGE);
  }
  const names = selectorNames(state);
  if (names.includes(text)) {
    const types = SOURCE_TYPES.map(type => `${type}/NAME`).join(', ');
    const hint = `sources are ${types}; who reaches it: meshform access to ${shellWord(text)}`;
    return new Stop(EXIT.invalid, `${quoted(text)} is a destination, not a source`, hint);
  }
  const message = `${quoted(text)} matches no source in ${judged}`;
  return new Stop(EXIT.invalid, message, didYouMeanSelector(text, sourceNames(state)) ?? USAGE);
}

function rendered(answer: AccessAnswer, { format }: AccessFlags, io: Io): string {
  switch (format) {
    case 'json':
      return jsonText(accessDocument(answer));
    case 'markdown':
      return accessMarkdown(answer);
    case 'csv':
      return accessCsv(answer);
    case 'graphml':
      return accessGraphml(answer);
    default:
      return accessText(answer, styleFor(io.stdout, io));
  }
}

async function everyReach(
  words: readonly string[],
  { state, live, why, html }: AccessFlags,
  io: Io,
): Promise<number> {
  if (state === undefined || live || why || html !== undefined || words.length > 0) {
    const message = '`--format ndjson` prints the complete access of the accounts in --state';
    throw new Stop(EXIT.usage, message, 'meshform access --state FILE --format ndjson');
  }
  return answerLines(await savedText(state, io), state === '-' ? 'stdin' : state, io);
}
