package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import java.util.List;

/** Whose quota a filter grows from, whichever key adds to it. */
public interface GrowthQuotas {

  /** The quotas that a filter of this name is held to, beside that of the service. */
  List<Quota> of(FilterName name);
}
