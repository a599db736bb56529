#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <utility>

namespace assay::resource {

// What happened to a cache so far.
struct CacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;

  friend bool operator==(const CacheCounters&, const CacheCounters&) = default;
};

struct CacheLimits {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
};

// Shared values by text key; what was used least recently goes when there are too many, or too many bytes.
//
// The cache is one owner among others: a value that is evicted lives on with whoever holds it. The value that was put
// in last stays even if it is larger than the limit. Cost: O(log n) a call.
template <typename Shared>
class LruCache {
 public:
  explicit LruCache(CacheLimits limits) : limits_(limits) {}

  // The value, which is now the most recently used; or an empty one.
  [[nodiscard]] Shared get(const std::string& key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) {
      ++counters_.misses;
      return {};
    }
    ++counters_.hits;
    order_.splice(order_.begin(), order_, found->second);
    return found->second->value;
  }

  void put(const std::string& key, Shared value, std::uint64_t bytes) {
    erase(key);
    order_.push_front({key, std::move(value), bytes});
    by_key_[key] = order_.begin();
    bytes_ += bytes;
    while (order_.size() > 1 && (order_.size() > limits_.count || bytes_ > limits_.bytes)) {
      ++counters_.evictions;
      erase(std::string(order_.back().key));
    }
  }

  // Does nothing where the key is not there.
  void erase(const std::string& key) {
    const auto found = by_key_.find(key);
    if (found != by_key_.end()) {
      bytes_ -= found->second->bytes;
      order_.erase(found->second);
      by_key_.erase(found);
    }
  }

  void erase_prefix(const std::string& prefix) {
    for (auto next = by_key_.lower_bound(prefix); next != by_key_.end() && next->first.starts_with(prefix);) {
      erase(std::string((next++)->first));
    }
  }

  // Without counting as a use.
  [[nodiscard]] bool holds(const std::string& key) const { return by_key_.contains(key); }
  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const CacheCounters& counters() const { return counters_; }

 private:
  struct Row {
    std::string key;
    Shared value;
    std::uint64_t bytes = 0;
  };

  CacheLimits limits_;
  // Most recently used first.
  std::list<Row> order_;
  std::map<std::string, typename std::list<Row>::iterator> by_key_;
  std::uint64_t bytes_ = 0;
  CacheCounters counters_;
};

}  // namespace assay::resource
