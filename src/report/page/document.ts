// An access page as a single HTML file: it loads nothing, and runs only meshform's own scripts and styles.
import type { AccessPicture, ComparedPictures } from '../../model/access/accessPicture.ts';
import type { Folders } from '../../model/access/groupings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { AS_WRITTEN, type Readable } from '../access/readableNames.ts';
import { type Content, element } from '../graph/markup.ts';
import { PORT_STYLE } from '../graph/portKinds.ts';
import { NO_SIGNS, type Signs } from '../graph/signs.ts';
import { SVG_STYLE } from '../graph/svgStyle.ts';
import { blockedSection } from './blocked.ts';
import { matrixData } from './data.ts';
import { mapSection } from './map.ts';
import { matrixSection } from './matrix.ts';
import { networksSection } from './networkSection.ts';
import { policiesSection } from './policySection.ts';
import type { Section } from './section.ts';
import { jsonInHtml, shellText } from './shell.ts';
import { stateControl } from './states.ts';

/** The script and the style of every page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

export interface PageContent {
  /** `Plan`, `Access`. */
  readonly title: string;
  /** A sentence about the judged state and its server. */
  readonly about: string;
  /** Writes names in drawings as `readableNames` does; absent: drawings show selectors. */
  readonly readable?: Readable;
  /** The signs of kinds in drawings; if absent, drawings show selectors. */
  readonly signs?: Signs;
  /** The access; with a plan, after the plan. */
  readonly picture: AccessPicture;
  /** With a plan: the picture before the plan, and the changes. */
  readonly compared?: Pick<ComparedPictures, 'before' | 'changes'>;
  /** With a question: the objects that it asks about. */
  readonly only?: readonly string[] | undefined;
  /** The folders of the files that declare the objects; absent if they are not known. */
  readonly folders?: Folders | undefined;
  /** Findings about rules that the files do not need; absent without files. */
  readonly idleRules?: readonly Diagnostic[] | undefined;
  /** With a plan: the sections about the plan. */
  readonly plan?: readonly Section[];
  /**
   * With a plan: a line at the top of the page with the plan's counts, the gates that refuse it, and the flags that its apply
   * needs.
   */
  readonly head?: Content;
}

/** The page as a file. */
export function pageText(content: PageContent, assets: PageAssets): string {
  const { title, about, compared, idleRules, plan = [], head } = content;
  const { picture, folders, only, readable = AS_WRITTEN, signs = NO_SIGNS } = content;
  const before = compared?.before;
  const mapped = { picture, ...(compared && { compared }), folders, only };
  // A reader of the page of a plan first wants to see what the plan changes.
  const sections = [
    ...plan.filter(({ isView }) => isView),
    mapSection(mapped, { readable, signs }),
    matrixSection(picture, before !== undefined),
    ...plan.filter(({ isView }) => !isView),
    blockedSection(picture),
    policiesSection(picture, idleRules),
    networksSection(picture, { readable, signs }),
  ];
  const data = { matrix: matrixData(picture.matrix, before?.matrix, readable) };
  return shellText({
    title,
    header: [element('p', { class: 'about' }, about), head, unread(picture)],
    sections,
    isTabbed: true,
    ...(compared && { controls: stateControl() }),
    style: `${assets.style}${PORT_STYLE}${SVG_STYLE}`,
    script: { text: assets.script, data: jsonInHtml(data) },
  });
}

function unread({ unread: lists }: AccessPicture): Content {
  return lists.map(text =>
    element(
      'p',
      { class: 'warning' },
      element('strong', {}, 'Not read: '),
      `${text}. Access that depends on it is missing from this page.`,
    ),
  );
}
