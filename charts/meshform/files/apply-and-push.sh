# For `lock: file`: runs meshform with the arguments of the script, and pushes the recorded base if meshform succeeds. The shell is the first process
# of the container, which receives the signals: it forwards them, and ends with the exit code of meshform.
pid=
isStopped=
stop() {
  isStopped=yes
  test -z "$pid" || kill -s TERM "$pid" 2> /dev/null || :
}
trap stop TERM INT
meshform "$@" &
pid=$!
# A signal that arrived before the id of the process was known.
test -z "$isStopped" || stop
code=127
while :; do
  isStopped=
  ended=0
  wait "$pid" || ended=$?
  # 127: the signal arrived after `wait` had the exit code.
  test "$ended" = 127 || code=$ended
  test -n "$isStopped" || break
done
test "$code" = 0 || exit "$code"
cd /desired/repository
# git needs neither the token of the account nor the secrets of the files, and starts no program that the files name.
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
  case "$name" in
    PATH | HOME | GIT_* | SSL_* | *_PROXY | *_proxy | RECORDED_ACCOUNT) ;;
    *) unset "$name" ;;
  esac
done
git \
  -c safe.bareRepository=explicit -c core.fsmonitor= -c core.hooksPath=/dev/null -c protocol.ext.allow=never -c submodule.recurse=false \
  push --quiet origin "refs/meshform-base/$RECORDED_ACCOUNT/*:refs/meshform-base/$RECORDED_ACCOUNT/*"
