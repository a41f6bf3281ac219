// Findings as text: place, message, hint. Editors and terminals turn the place into a link.
import { type Diagnostic, type Severity, spanText, useText } from '../../model/diagnostic.ts';
import { addAll } from '../../model/text/longLists.ts';
import { wrap } from '../text/lines.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';

/** All findings, two or three lines each, with a line feed at the end; empty if there are none. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], style: Style): string {
  return diagnostics.map(diagnostic => `${diagnosticText(diagnostic, style)}\n`).join('');
}

function diagnosticText({ code, severity, message, at, hint }: Diagnostic, style: Style): string {
  const place = at ? `${style.strong(spanText(at))} ` : '';
  const label = severityStyle(severity, style)(severity);
  const lines = [`${place}${label} ${style.faint(code)}`, ...wrap(`  ${message}`, style.width)];
  const used = at && useText(at);
  if (used) addAll(lines, wrap(`  ${used}`, style.width));
  if (hint) addAll(lines, wrap(`  hint: ${hint}`, style.width));
  return lines.join('\n');
}

/** `2 errors, 1 warning`; empty if there are none. */
export function diagnosticCounts(diagnostics: readonly Diagnostic[]): string {
  const severities: Severity[] = ['error', 'warning', 'note'];
  return severities
    .map(
      severity =>
        [severity, diagnostics.filter(found => found.severity === severity).length] as const,
    )
    .flatMap(([severity, count]) => (count > 0 ? [counted(count, severity)] : []))
    .join(', ');
}

function severityStyle(severity: Severity, style: Style): (text: string) => string {
  if (severity === 'error') return style.error;
  return severity === 'warning' ? style.warn : style.faint;
}
