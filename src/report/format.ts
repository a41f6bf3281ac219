// A table of formats: by name, the file that renders a report in it. Nothing is loaded before a format is asked for.

/** What the file of a format exports: the report as text, as stdout carries it. */
interface Renderer<Report> {
  readonly render: (report: Report) => string;
}

/** The formats of a report, by the name that `--format` gives them; the first is the default. */
export type Formats<Report> = Readonly<Record<string, () => Promise<Renderer<Report>>>>;
