package io.github.bloomgate.http.response;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.follow.Followers;
import jakarta.inject.Singleton;

/** Describes filters, with what this instance knows about their copies. */
@Singleton
public class FilterViews {

  private final Followers followers;

  FilterViews(Followers followers) {
    this.followers = followers;
  }

  public FilterView of(Description description) {
    return of(description, null);
  }

  /**
   * Describes a filter.
   *
   * @param note the part of the request that was not done; null if all was
   */
  public FilterView of(Description description, String note) {
    return FilterView.of(description, followers.copies(description.live().name()), note);
  }
}
