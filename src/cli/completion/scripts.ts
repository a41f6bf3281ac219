// The completion scripts of shells. They only pass the line to `meshform complete` and insert its
// output. The shell neither expands nor evaluates the name of an object.

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script of each shell. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of meshform. Load it with:  source <(meshform completion bash)
_meshform() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" complete bash -- "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o default -F _meshform meshform
`,
  zsh: `#compdef meshform
# zsh completion of meshform. Load it with:  source <(meshform completion zsh)
_meshform() {
  local value about
  local -a before values texts
  before=("\${(@Q)words[2,CURRENT-1]}")
  while IFS= read -r value && IFS= read -r about; do
    values+=("$value")
    texts+=("$value\${about:+  -- $about}")
  done < <("\${words[1]}" complete zsh -- "\${before[@]}" "\${(Q)PREFIX}" 2>/dev/null)
  if (( \${#values} )); then
    compadd -l -d texts -a values
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _meshform ]]; then _meshform "$@"; else compdef _meshform meshform; fi
`,
  fish: `# fish completion of meshform. Load it with:  meshform completion fish | source
function __meshform_complete
    set -l words (commandline -opc)
    set -l found ($words[1] complete fish -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        for at in (seq 1 2 (count $found))
            printf '%s\\t%s\\n' $found[$at] $found[(math $at + 1)]
        end
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c meshform -f -a '(__meshform_complete)'
`,
};
