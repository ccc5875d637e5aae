#!/bin/sh
# What a command does that has a lock. All that it says is in files of the folder that it runs in,
# outside of the system that it tests.
#
#   inside.sh NUMBER KIND NAME WHOSE HOLD IS_STUBBORN
#
# WHOSE is the group, 0 or 1, or else the node. Along with our lock it takes one of the operating
# system (flock), which has to be free: it is not while any process of another command has it, and
# it is as soon as all of them are dead, however they died. Whoever has a lock for itself counts
# besides: it reads a number, holds the lock, and writes the number that comes next.
set -u
number=$1 kind=$2 name=$3 whose=$4 hold=$5 is_stubborn=$6
if [ "$is_stubborn" = true ]; then
  trap '' TERM
fi

wrong() {
  echo "program $number: $1" >>overlaps
}

count=0
case $kind in
exclusive)
  exec 9>>"$name.guard"
  flock -n 9 || wrong "another is inside $name"
  read -r count <"$name.count"
  ;;
permits)
  # Two of them.
  exec 9>>"$name.guard1"
  if ! flock -n 9; then
    exec 9>>"$name.guard2"
    flock -n 9 || wrong "two others are inside $name"
  fi
  ;;
group)
  # One after the other, so that nobody finds the file of a group taken by somebody who only looks.
  exec 8>>"$name.door"
  flock 8
  exec 9>>"$name.guard$whose" 7>>"$name.guard$((1 - whose))"
  flock -n -s 9 || wrong "somebody is where group $whose of $name is"
  flock -n 7 || wrong "the other group is inside $name"
  exec 7>&-
  ;;
local)
  exec 9>>"$name.guard$whose"
  flock -n 9 || wrong "another is inside $name at node $whose"
  ;;
esac
read -r now _ </proc/uptime
echo "$number begins $DRIFTLOCK_FENCE $now $count $whose" >>"$name.log"
exec 8>&-
sleep "$hold"
if [ "$kind" = exclusive ]; then
  # Over the old number, which is not longer: who is killed here has written or has not.
  echo "$((count + 1))" 1<>"$name.count"
fi
echo "$number ends" >>"$name.log"
