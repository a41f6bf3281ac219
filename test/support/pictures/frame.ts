// The frame that the pictures of the pages have in common: a title and a description for screen readers, and a light and a dark look.
import { xmlText } from '../../../src/report/text/xmlText.ts';

export interface Picture {
  readonly title: string;
  /** What somebody who does not see it should know. */
  readonly description: string;
}

/** The font that a reader's computer has for terminals. */
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';

const STYLE = `
  text { font: 13px ${MONOSPACE}; fill: #1f2328; }
  .paper { fill: #f6f8fa; stroke: #d1d9e0; }
  .strong { font-weight: bold; }
  .faint { fill: #59636e; }
  .add { fill: #116329; }
  .change { fill: #7d4e00; }
  .remove { fill: #a40e26; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .paper { fill: #0d1117; stroke: #3d444d; }
    .faint { fill: #9198a1; }
    .add { fill: #7ee787; }
    .change { fill: #e3b341; }
    .remove { fill: #ff7b72; }
  }
`;

/** A whole document: `body` is markup, `style` is added to that of every picture. */
export function framed(
  { title, description }: Picture,
  {
    width,
    height,
    body,
    style = '',
  }: {
    readonly width: number;
    readonly height: number;
    readonly body: readonly string[];
    readonly style?: string;
  },
): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${xmlText(title)}</title>`,
    `<desc id="desc">${xmlText(description)}</desc>`,
    `<style>${STYLE}${style}</style>`,
    `<rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...body,
    '</svg>',
  ].join('\n')}\n`;
}
