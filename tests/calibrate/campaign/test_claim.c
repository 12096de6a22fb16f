/* Claims of names that are written: one process has a name, whatever the others do, and whatever
 * became of those before it. */
#include "calibrate/campaign/claim.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int set_up(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/isocast-claim-XXXXXX");
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    static const char *const names[] = {"out", "link", "fifo", "in/out", "in", "elsewhere/out"};
    campaign_claims_release();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)remove(names[i]);
    }
    (void)remove("elsewhere");
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : 1;
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Another process that claims a name, says whether it could, and waits for its end. */
static pid_t start_other(const char *path, bool *taken) {
    int ends[2];
    char said = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        said = campaign_claim_try(path) ? 'y' : 'n';
        (void)!write(ends[1], &said, 1);
        pause();
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &said, 1), 1);
    close(ends[0]);
    *taken = said == 'y';
    return child;
}

static void end_other(pid_t child, int number) {
    kill(child, number);
    waitpid(child, NULL, 0);
}

static bool other_can(const char *path) {
    bool taken;
    end_other(start_other(path, &taken), SIGTERM);
    return taken;
}

static void test_one_has_it(void **state) {
    (void)state;
    bool taken;
    char process[32];
    isocast_buffer why = {0};
    pid_t other = start_other("out", &taken);
    assert_true(taken);
    assert_int_equal(campaign_claim_take("./out", &why), ISOCAST_IO);
    snprintf(process, sizeof process, "(process %ld)", (long)other);
    assert_non_null(strstr(why.text, process));
    assert_non_null(strstr(why.text, "'./out'"));
    isocast_buffer_free(&why);
    assert_true(campaign_claim_try("another"));
    end_other(other, SIGTERM);
    /* A signal that ends the process removes its lock. */
    assert_int_equal(access(".out.isocast-lock", F_OK), -1);
    assert_true(campaign_claim_try("out"));
    assert_false(other_can("out"));
}

/* All or none. */
static void test_all(void **state) {
    (void)state;
    static const char *const paths[] = {"c", "-", "a", "b"};
    bool taken;
    isocast_buffer why = {0};
    pid_t other = start_other("b", &taken);
    assert_int_equal(campaign_claim_take_all(paths, 4, &why), ISOCAST_IO);
    assert_non_null(strstr(why.text, "'b'"));
    isocast_buffer_free(&why);
    assert_true(other_can("a"));
    assert_true(other_can("c"));
    end_other(other, SIGTERM);
    assert_int_equal(campaign_claim_take_all(paths, 4, &why), ISOCAST_OK);
    assert_false(other_can("a"));
    assert_false(other_can("b"));
    assert_false(other_can("c"));
}

/* Without a lock that could be had, nothing is claimed. */
static void test_no_more_files(void **state) {
    (void)state;
    struct rlimit before;
    isocast_buffer why = {0};
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, before.rlim_max}), 0);
    isocast_status status = campaign_claim_take("out", &why);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(status, ISOCAST_IO);
    assert_non_null(strstr(why.text, "cannot claim 'out' for writing"));
    isocast_buffer_free(&why);
    assert_true(campaign_claim_try("out"));
}

static void test_killed(void **state) {
    (void)state;
    bool taken;
    end_other(start_other("out", &taken), SIGKILL);
    assert_int_equal(access(".out.isocast-lock", F_OK), 0);
    assert_true(campaign_claim_try("out"));
    assert_false(other_can("out"));
    campaign_claim_release("out");
    assert_int_equal(access(".out.isocast-lock", F_OK), -1);
}

static void test_nested(void **state) {
    (void)state;
    assert_true(campaign_claim_try("out"));
    assert_true(campaign_claim_try("out"));
    campaign_claim_release("out");
    assert_false(other_can("out"));
    campaign_claim_release("out");
    assert_true(other_can("out"));
}

/* Through a link it is the same file, and through a folder of another name. */
static void test_links(void **state) {
    (void)state;
    put("out", "old");
    assert_int_equal(symlink("out", "link"), 0);
    assert_int_equal(symlink(".", "in"), 0);
    assert_true(campaign_claim_try("link"));
    assert_false(other_can("out"));
    assert_false(other_can("in/out"));
}

/* A folder that is replaced by a link: the claim stays where it was, and so does its lock. */
static void test_folder_replaced(void **state) {
    (void)state;
    assert_int_equal(mkdir("in", 0700), 0);
    assert_true(campaign_claim_try("in/out"));
    assert_int_equal(mkdir("elsewhere", 0700), 0);
    assert_int_equal(rename("in", "moved"), 0);
    assert_int_equal(symlink("elsewhere", "in"), 0);
    assert_false(other_can("moved/out"));
    assert_true(other_can("in/out"));
    campaign_claims_release();
    assert_int_equal(rmdir("moved"), 0);
}

static void test_check(void **state) {
    (void)state;
    isocast_buffer why = {0};
    assert_true(campaign_claim_try("out"));
    assert_int_equal(campaign_claim_check("out", &why), ISOCAST_OK);
    put("out", "mine");
    assert_int_equal(campaign_claim_check("out", &why), ISOCAST_IO);
    assert_non_null(strstr(why.text, "left as it is"));
    isocast_buffer_free(&why);
    campaign_claim_written("out");
    assert_int_equal(campaign_claim_check("out", &why), ISOCAST_OK);
    put("out", "another's");
    assert_int_equal(campaign_claim_check("out", &why), ISOCAST_IO);
    isocast_buffer_free(&why);
}

static void test_no_files(void **state) {
    (void)state;
    static const char *const paths[] = {"-", "/dev/null", "fifo", ".", "", "missing/out"};
    assert_int_equal(mkfifo("fifo", 0600), 0);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_true(campaign_claim_try(paths[i]));
        assert_true(other_can(paths[i]));
    }
}

static void test_long_names(void **state) {
    (void)state;
    char name[256];
    char other[256];
    memset(name, 'a', 255);
    name[255] = '\0';
    memcpy(other, name, sizeof name);
    other[254] = 'b';
    assert_true(campaign_claim_try(name));
    assert_false(other_can(name));
    assert_true(other_can(other));
}

/* Somebody may put a link where the lock is due: nothing is made at its end. */
static void test_lock_is_link(void **state) {
    (void)state;
    assert_int_equal(symlink("victim", ".out.isocast-lock"), 0);
    assert_true(campaign_claim_try("out"));
    assert_int_equal(access("victim", F_OK), -1);
    campaign_claims_release();
    assert_int_equal(unlink(".out.isocast-lock"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_one_has_it), TEST(test_all),         TEST(test_no_more_files),
        TEST(test_killed),     TEST(test_nested),      TEST(test_links),
        TEST(test_check),      TEST(test_no_files),    TEST(test_folder_replaced),
        TEST(test_long_names), TEST(test_lock_is_link)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
