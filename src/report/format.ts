// A table of formats: the file that renders a report, by the name of the format. A file is loaded only when its format is used.

/** The export of a format's file: renders the report as printed on stdout. */
interface Renderer<Report> {
  readonly render: (report: Report) => string;
}

/** The formats of a report, by their names for `--format`; the first is the default. */
export type Formats<Report> = Readonly<Record<string, () => Promise<Renderer<Report>>>>;
