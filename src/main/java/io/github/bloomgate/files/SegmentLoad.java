package io.github.bloomgate.files;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.rebuild.ContentLoads;
import io.github.bloomgate.rebuild.Rebuild;
import io.github.bloomgate.segment.SegmentCopy;

/** Joins the segments of a file into the next generation, one after the other. */
final class SegmentLoad extends SegmentAssembly {

  private final ContentLoads loads;
  private final Rebuild rebuild;

  SegmentLoad(ContentLoads loads, Rebuild rebuild, FilterPlan plan) {
    super(plan, rebuild.renewedAt());
    this.loads = loads;
    this.rebuild = rebuild;
  }

  @Override
  void segment(int index, SegmentCopy content) {
    loads.join(rebuild, index, content);
    await(rebuild.count(content.content().insertions()));
    content.free();
  }
}
