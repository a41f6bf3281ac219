// The findings about files as SARIF 2.1.0, for code scanning services.
import { DIAGNOSTIC_CODES, isLintCode, LINT_CODES } from '../../model/codes.ts';
import { type Diagnostic, type Severity, type Span, useText } from '../../model/diagnostic.ts';
import type { SilencedFinding } from '../../model/lint.ts';
import type { JsonObject } from '../../model/value.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** The meaning of each code. */
const MEANING: Readonly<Record<Diagnostic['code'], string>> = {
  ...DIAGNOSTIC_CODES,
  ...LINT_CODES,
};

/** The log of all findings. Silenced findings are results with a suppression. `version` is the version of meshform. */
export function sarifDocument(
  diagnostics: readonly Diagnostic[],
  silenced: readonly SilencedFinding[],
  version: string,
): JsonObject {
  const found = [...diagnostics, ...silenced.map(({ finding }) => finding)];
  const codes = [...new Set(found.map(({ code }) => code))].sort();
  const results = [
    ...diagnostics.map(finding => ({ ...resultOf(finding, codes), suppressions: [] })),
    ...silenced.map(one => ({
      ...resultOf(one.finding, codes),
      suppressions: [suppressionOf(one)],
    })),
  ];
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'meshform', semanticVersion: version, rules: codes.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
}

function ruleOf(code: Diagnostic['code']): JsonObject {
  const text = MEANING[code];
  return {
    id: code,
    shortDescription: { text },
    defaultConfiguration: { level: isLintCode(code) ? 'warning' : 'error' },
  };
}

function resultOf(
  { code, severity, message, hint, at }: Diagnostic,
  codes: readonly string[],
): JsonObject {
  const used = at && useText(at);
  const said = used === undefined ? message : `${message}, ${used}`;
  const text = hint === undefined ? `${said}.` : `${said}. Hint: ${hint}`;
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVELS[severity],
    message: { text },
    ...(at && { locations: [locationOf(at)] }),
  };
}

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'note',
};

function locationOf({ file, line, column }: Span): JsonObject {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      region: { startLine: line, startColumn: column },
    },
  };
}

// The path of a file relative to the working directory, so that a service finds the file in the repository.
function uriOf(file: string): string {
  const path = file.split('/').map(encodeURIComponent).join('/');
  return file.startsWith('/') ? `file://${path}` : path;
}

function suppressionOf({ reason, reasonAt }: SilencedFinding): JsonObject {
  return {
    kind: 'inSource',
    status: 'accepted',
    justification: reason,
    location: locationOf(reasonAt),
  };
}
