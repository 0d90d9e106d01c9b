package dev.tidegate.bench.replay;

/**
 * One period of one limit of one subject.
 *
 * @param subject the subject's id
 * @param limit the limit's name
 * @param seq the period's number, which grows with each period
 * @param periodId the period's id
 */
record PeriodKey(String subject, String limit, long seq, String periodId)
    implements Comparable<PeriodKey> {

  @Override
  public int compareTo(PeriodKey other) {
    int bySubject = subject.compareTo(other.subject);
    if (bySubject != 0) {
      return bySubject;
    }
    int byLimit = limit.compareTo(other.limit);
    return byLimit != 0 ? byLimit : Long.compare(seq, other.seq);
  }
}
