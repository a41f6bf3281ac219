// Prometheus' text format, read strictly: what promtool would refuse throws.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
const ESCAPES: Readonly<Record<string, string>> = { '\\\\': '\\', '\\"': '"', '\\n': '\n' };

/** The samples of a text. Every family has HELP and TYPE before its samples, all of which follow each other. */
export function samplesIn(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { help: boolean; type: boolean; isOver: boolean }>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, word, family = '', rest = ''] = line.match(/^# (HELP|TYPE) (\S+) (.+)$/) ?? [];
    if (word !== undefined) {
      if (!NAME.test(family)) throw new Error(`no name: ${family}`);
      if (family !== current) {
        if (families.has(family)) throw new Error(`in two places: ${family}`);
        families.set(family, { help: false, type: false, isOver: false });
        current = family;
      }
      const known = families.get(family);
      if (!known || known.isOver) throw new Error(`too late: ${line}`);
      if (word === 'HELP' && (known.help || known.type))
        throw new Error(`HELP twice, or late: ${line}`);
      if (word === 'TYPE' && (known.type || rest !== 'gauge')) throw new Error(`bad TYPE: ${line}`);
      known[word === 'HELP' ? 'help' : 'type'] = true;
      continue;
    }
    const sample = sampleOf(line);
    const known = families.get(sample.name);
    if (!known?.help || !known.type || sample.name !== current)
      throw new Error(`no family: ${line}`);
    known.isOver = true;
    const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    if (seen.has(identity)) throw new Error(`twice: ${line}`);
    seen.add(identity);
    samples.push(sample);
  }
  return samples;
}

function sampleOf(line: string): Sample {
  const [, name, labels = '', value = ''] = line.match(/^([^{ ]+)(?:\{([^\n]*)\})? (\S+)$/) ?? [];
  if (name === undefined || !NAME.test(name)) throw new Error(`no sample: ${line}`);
  const number = Number(value);
  if (value === '' || Number.isNaN(number)) throw new Error(`no number: ${line}`);
  return { name, labels: labelsOf(labels), value: number };
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    LABEL.lastIndex = at;
    const [, name, value = ''] = LABEL.exec(text) ?? [];
    if (name === undefined || name in labels || name.startsWith('__'))
      throw new Error(`bad labels: ${text}`);
    labels[name] = value.replaceAll(/\\[\\"n]/g, found => ESCAPES[found] ?? '');
  }
  return labels;
}
