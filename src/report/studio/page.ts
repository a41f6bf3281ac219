// The page of a studio as its server sends it: placeholders for its parts, and its script. It contains nothing from the files.
import { type Content, element, type Markup } from '../graph/markup.ts';
import { PORT_STYLE } from '../graph/portKinds.ts';
import { SVG_STYLE } from '../graph/svgStyle.ts';
import type { PageAssets } from '../page/document.ts';
import type { Section } from '../page/section.ts';
import { contentPolicy, type Shell, shellText } from '../page/shell.ts';
import { partId, partSection } from './changingParts.ts';
import { viewsSection } from './views.ts';

/** The facts that the page of a studio shows. */
export interface StudioPage {
  /** The minimum number of seconds between two reads of the account; absent if the studio does not read an account. */
  readonly accountEvery?: number | undefined;
}

/** The page, and its content security policy as a header. */
export function studioPage(
  page: StudioPage,
  assets: PageAssets,
): { readonly text: string; readonly policy: string } {
  const shell: Shell = {
    title: 'Studio',
    header: header(),
    sections: sectionsOf(page),
    style: `${assets.style}${PORT_STYLE}${SVG_STYLE}`,
    script: { text: assets.script },
    isServed: true,
  };
  return { text: shellText(shell), policy: `${contentPolicy(shell)}; frame-ancestors 'none'` };
}

function header(): Content {
  return [
    element('noscript', {}, element('p', { class: 'warning' }, 'The studio needs JavaScript.')),
    element('p', { id: 'connection', role: 'alert' }),
    element('div', { id: partId('status'), class: 'status', role: 'status' }, 'Reading the files.'),
  ];
}

function sectionsOf({ accountEvery }: StudioPage): readonly Section[] {
  return [
    partSection('findings', 'Findings'),
    partSection('difference', 'Difference'),
    partSection('tests', 'Access tests'),
    questionSection(accountEvery !== undefined),
    ...(accountEvery === undefined
      ? []
      : [partSection('account', 'The account', refreshing(accountEvery))]),
    viewsSection(),
  ];
}

function refreshing(seconds: number): Content {
  return element(
    'p',
    {},
    element('button', { id: 'refresh', type: 'button' }, 'Read the account again'),
    ` At most every ${seconds} seconds.`,
  );
}

function questionSection(hasAccount: boolean): Section {
  const states = element(
    'label',
    { for: 'ask-in' },
    element('span', {}, 'In'),
    element(
      'select',
      { id: 'ask-in' },
      element('option', { value: 'files' }, 'the files'),
      element('option', { value: 'account' }, 'the account'),
    ),
  );
  return {
    id: 'question',
    title: 'Can X reach Y, and why not?',
    content: [
      element(
        'form',
        { id: 'ask', class: 'filters' },
        field({ id: 'ask-from', label: 'From', hint: 'group/on-call, alice', list: 'ask-sources' }),
        field({
          id: 'ask-to',
          label: 'To',
          hint: 'network_resource/…, 10.0.0.1',
          list: 'ask-destinations',
        }),
        field({ id: 'ask-port', label: 'Port', hint: '5432, udp/53, icmp' }),
        hasAccount && states,
        element('button', { type: 'submit' }, 'Ask'),
      ),
      element('datalist', { id: 'ask-sources' }),
      element('datalist', { id: 'ask-destinations' }),
      element('div', { id: 'answer', class: 'answer', 'aria-live': 'polite' }),
    ],
  };
}

function field({
  id,
  label,
  hint,
  list,
}: Readonly<Record<'id' | 'label' | 'hint', string>> & { readonly list?: string }): Markup {
  return element(
    'label',
    { for: id },
    element('span', {}, label),
    element('input', { id, type: 'text', placeholder: hint, list, autocomplete: 'off' }),
  );
}
