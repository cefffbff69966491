/**
 * Streams of the bits of filters, for followers, as {@code docs/follow.md} defines them.
 *
 * <p>{@link io.github.bloomgate.follow.Followers} knows all followers. A {@code FollowedContent}
 * turns the changes of copies into frames, once for all followers of a filter; a {@link
 * io.github.bloomgate.follow.Follower} is a place in these frames, and decides what is sent next.
 * All of it runs on the thread of the rounds and knows bits only, not kinds of filters.
 */
package io.github.bloomgate.follow;
