// The references of a secret address. Its source is its position in a file, with the references after the last `#`, separated by
// commas: `${yaml:network.yaml#/notification_channels/0/target/url#env:NAME}`.

const OPENED = /^\$\{yaml:[^#{}]+#[^#{}]*#([^#{}]+)\}$/;

/** The references that are opened for the source of an address, such as `${env:NAME}`; empty for any other source. */
export function openedReferences(source: string): readonly string[] {
  const [, opened] = OPENED.exec(source) ?? [];
  return opened === undefined ? [] : opened.split(',').map(one => `\${${unescaped(one)}}`);
}

const unescaped = (text: string): string =>
  text.replaceAll(/%[0-9A-F]{2}/g, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
